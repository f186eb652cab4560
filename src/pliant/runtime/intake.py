"""The intake: lines from standard input and from a local socket, without ever waiting for anyone.

Whoever talks too much is not read until it has been answered; whoever does not listen loses its
telemetry, and a client on the socket its connection. Inherited descriptors stay as they are: they
are only touched when the system says that it will not block.
"""

import contextlib
import os
import select
import socket
from collections import deque
from pathlib import Path

from pliant.runtime.protocol import MAX_LINE

_CHUNK = 4096
"""Bytes that a pipe takes without blocking when it says it is ready (POSIX PIPE_BUF)."""

_WAITING_LINES = 64
_WAITING_REPLIES = 256
_STOP = b"STOP"


class Client:
    """Someone who sends lines and gets replies.

    Attributes:
        name: How replies to others call it.
        lines: Lines not yet taken up; None stands for one that was too long.
        gone: It hung up, or does not take its replies.
    """

    def __init__(self, name: str, read: int, write: int) -> None:
        self.name = name
        self.lines: deque[bytes | None] = deque()
        self.gone = False
        self.read_descriptor = read
        self.write_descriptor = write
        self._partial = b""
        self._overlong = False
        self._out: deque[bytes] = deque()

    @property
    def wants_reading(self) -> bool:
        """Whether it may be read: not while it has enough to be answered."""
        return len(self.lines) < _WAITING_LINES and len(self._out) < _WAITING_REPLIES

    @property
    def wants_writing(self) -> bool:
        """Whether something waits to be sent to it."""
        return bool(self._out)

    def receive(self, data: bytes) -> None:
        """Take in what was read; nothing means that it hung up."""
        if not data:
            self.gone = True
            return
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in lines:
            self._add(None if self._overlong else line)
            self._overlong = False
        if len(self._partial) > MAX_LINE:
            self._overlong = True
        if self._overlong:
            self._partial = b""

    def _add(self, line: bytes | None) -> None:
        if line is not None and len(line) > MAX_LINE:
            line = None
        if line is not None and line.strip() == _STOP:
            # never waits behind other lines
            self.lines.appendleft(line)
        else:
            self.lines.append(line)

    def send(self, text: str) -> None:
        """Queue a reply."""
        self._out.append(text.encode() + b"\n")

    def offer(self, text: str) -> None:
        """Send telemetry, unless replies are still waiting: then it is dropped."""
        if not self._out:
            self.send(text)

    def flush(self) -> None:
        """Write as much as surely does not block; call only when ready for writing."""
        chunk = b""
        while self._out and len(chunk) + len(self._out[0]) <= _CHUNK:
            chunk += self._out.popleft()
        if not chunk and self._out:
            chunk, rest = self._out[0][:_CHUNK], self._out[0][_CHUNK:]
            self._out[0] = rest
        try:
            written = os.write(self.write_descriptor, chunk)
        except BlockingIOError:
            written = 0
        except OSError:
            self.gone = True
            return
        if written < len(chunk):
            self._out.appendleft(chunk[written:])


class Intake:
    """All clients of a controller."""

    def __init__(self, path: Path | None, stdin: int | None = 0, stdout: int = 1) -> None:
        """Listen on a socket at a path, and on standard input.

        Args:
            path: Where the socket is made; None for none.
            stdin: Descriptor to read commands from; None for none.
            stdout: Descriptor to write replies to them, and telemetry, to.
        """
        self._poll = select.poll()
        self._clients: dict[int, Client] = {}
        self._sockets: dict[int, socket.socket] = {}
        self._turn: deque[Client] = deque()
        self._count = 0
        self._path = path
        self._server = self._listen(path) if path else None
        self.console = Client("stdin", -1 if stdin is None else stdin, stdout)
        self._turn.append(self.console)
        self._stdout_poll = select.poll()
        self._stdout_poll.register(stdout, select.POLLOUT)
        self._watched = stdin is not None
        if stdin is not None:
            self._clients[stdin] = self.console
            self._poll.register(stdin, select.POLLIN)

    def poll(self) -> None:
        """Read, accept and write whatever can be done at once."""
        for descriptor, _ in self._poll.poll(0):
            if self._server and descriptor == self._server.fileno():
                self._accept()
            elif descriptor in self._clients:
                self._read(self._clients[descriptor])
        if self.console.wants_writing and self._stdout_poll.poll(0):
            self.console.flush()
        for client in list(self._turn):
            if client is not self.console and client.wants_writing:
                client.flush()

    def next_line(self) -> tuple[Client, bytes | None] | None:
        """The next line, one client after the other; None for one too long, or no pair at all."""
        for _ in range(len(self._turn)):
            client = self._turn[0]
            self._turn.rotate(-1)
            if client.lines:
                line = client.lines.popleft()
                self._watch(client)
                return client, line
        return None

    def departed(self) -> list[Client]:
        """Clients on the socket that have gone since the last call."""
        gone = [c for c in self._turn if c is not self.console and c.gone and not c.lines]
        for client in gone:
            self._turn.remove(client)
            self._forget(client)
        return gone

    def close(self) -> None:
        """Let everyone go and remove the socket."""
        for client in [c for c in self._turn if c is not self.console]:
            self._forget(client)
        if self._server:
            self._server.close()
        if self._path:
            self._path.unlink(missing_ok=True)

    def _listen(self, path: Path) -> socket.socket:
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        server.bind(str(path))
        path.chmod(0o600)
        server.listen()
        server.setblocking(False)
        self._poll.register(server, select.POLLIN)
        return server

    def _accept(self) -> None:
        assert self._server is not None
        try:
            connection, _ = self._server.accept()
        except OSError:
            return
        connection.setblocking(False)
        self._count += 1
        descriptor = connection.fileno()
        client = Client(f"client {self._count}", descriptor, descriptor)
        self._sockets[descriptor] = connection
        self._clients[descriptor] = client
        self._turn.append(client)
        self._poll.register(descriptor, select.POLLIN)

    def _read(self, client: Client) -> None:
        try:
            data = os.read(client.read_descriptor, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        client.receive(data)
        self._watch(client)

    def _watch(self, client: Client) -> None:
        """Watch a client for input only while it may be read."""
        if client.read_descriptor not in self._clients:
            return
        wanted = client.wants_reading and not client.gone
        if wanted:
            self._poll.register(client.read_descriptor, select.POLLIN)
        else:
            self._unregister(client.read_descriptor)

    def _unregister(self, descriptor: int) -> None:
        with contextlib.suppress(KeyError):
            self._poll.unregister(descriptor)

    def _forget(self, client: Client) -> None:
        self._unregister(client.read_descriptor)
        self._clients.pop(client.read_descriptor, None)
        connection = self._sockets.pop(client.read_descriptor, None)
        if connection:
            connection.close()
