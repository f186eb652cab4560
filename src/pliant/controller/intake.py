"""The intake: lines from standard input and from a local socket, without ever blocking.

A client that sends too much is not read until it has been answered, and a client that does not
read its replies is not answered; its STOP counts all the same. When all places are taken, a few
more clients may connect, of which STOP is obeyed. Standard input is obeyed even if
nobody reads standard output, which then loses telemetry first and replies later. A closed output
does not stop the controller; the end of standard input does.
"""

import contextlib
import fcntl
import os
import select
import signal
import socket
import stat
import struct
import termios
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from pliant.controller.lease import NOBODY
from pliant.controller.line_client import Client, without_blocking
from pliant.errors import PliantError, Refused
from pliant.ring.runtime_folder import remove_socket

_MOST_CLIENTS = 64
_RESERVE = 16
"""Places for clients that come when all others are taken."""

_SILENT = 5.0
"""A client that never sent a line loses its place after this long, s, if places are short."""

_IDLE_IN_RESERVE = 2.0
"""A client in the reserve that sends nothing for this long, s, is disconnected."""

RESERVED_NAMES = ("stdin", "client-", NOBODY, "free")
"""Clients may not take names that start with one of these."""

_MOST_UNREAD = 32768
"""Most unread bytes in a pipe to which telemetry is written: half of a usual pipe."""

_HUNG_UP = select.POLLHUP | select.POLLRDHUP | select.POLLERR | select.POLLNVAL


class Intake:
    """All clients of a controller.

    Attributes:
        console: Standard input and output.
        stop_asked: A client sent STOP, which does not wait for its line's turn.
        stirred: A line may be waiting, or a client may have left.
        unsent: Something may be waiting to be sent.
        sent: How many bytes were sent.
        look: Polls for input, at most for so many milliseconds.
    """

    def __init__(self, path: Path, stdin: int = 0, stdout: int = 1) -> None:
        """Listen on a socket at a path, and on standard input.

        Args:
            path: Where the socket is made; one that is there is replaced.
            stdin: Descriptor to read commands from.
            stdout: Descriptor for replies to them, and for telemetry.

        Raises:
            PliantError: No socket can be made there.
        """
        # in the background of a terminal these would suspend the process and its arm
        signal.signal(signal.SIGTTIN, signal.SIG_IGN)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        self.stop_asked = False
        self.stirred, self.unsent = True, True
        self.sent = 0
        self._poll = select.poll()
        self.look = self._poll.poll
        self._wake = _new_epoll()
        self._watched: dict[int, int] = {}
        self._all_watched = True
        self._clients: dict[int, Client] = {}
        self._others: dict[int, Callable[[], None]] = {}
        self._sockets: dict[int, socket.socket] = {}
        self._turn: deque[Client] = deque()
        self._count = 0
        self._path = path
        self._server = _listen(path)
        self._register(self._server.fileno(), select.POLLIN)
        self._inherited = (stdin, stdout)
        self.console = Client(
            "stdin", without_blocking(stdin, os.O_RDONLY), without_blocking(stdout, os.O_WRONLY)
        )
        self._add(self.console)
        self._stdout_poll = select.poll()
        self._stdout_poll.register(self.console.write_descriptor, select.POLLOUT)
        self._piped = stat.S_ISFIFO(os.fstat(stdout).st_mode)

    @property
    def descriptor(self) -> int | None:
        """A descriptor that is readable exactly if `look` would find input.

        None on some systems, and for some kinds of input.
        """
        return self._wake.fileno() if self._wake is not None and self._all_watched else None

    def watch(self, descriptor: int, react: Callable[[], None]) -> None:
        """Call a function once, when a descriptor that is no client's becomes readable."""
        self._others[descriptor] = react
        self._register(descriptor, select.POLLIN)

    def receive(self, events: list[tuple[int, int]]) -> None:
        """Read and accept what `look` found."""
        for descriptor, flags in events:
            self.stirred = True
            if descriptor == self._server.fileno():
                self._accept()
            elif descriptor in self._clients:
                self._read(self._clients[descriptor], flags)
            elif descriptor in self._others:
                self._unwatch(descriptor)
                self._others.pop(descriptor)()

    def send(self, client: Client, text: str) -> None:
        """Queue a line; it is lost if too many wait already."""
        client.send(text)
        self.unsent = True

    def send_last(self, text: str) -> None:
        """Queue the last line to standard output, however many wait."""
        self.console.send_last(text)
        self.unsent = True

    @property
    def has_room(self) -> bool:
        """Whether standard output takes a line that may be lost: telemetry.

        Nothing waits, and a pipe is less than half full: room is kept for what must not be lost,
        above all the last line.
        """
        console = self.console
        if console.deaf or console.wants_writing or not self._stdout_poll.poll(0):
            return False
        return not self._piped or _unread(console.write_descriptor) <= _MOST_UNREAD

    def flush(self) -> None:
        """Write what can be written without blocking."""
        self.unsent = False
        for client in self._turn:
            if client.wants_writing and (client is not self.console or self._stdout_poll.poll(0)):
                self.sent += client.flush()
                self.stirred |= client.deaf
            self.unsent |= client.wants_writing

    def next_line(self) -> tuple[Client, bytes | None] | None:
        """The next client and its line, clients in turn; a line that was too long is None."""
        taken = None
        for _ in range(len(self._turn)):
            client = self._turn[0]
            self._turn.rotate(-1)
            ready = client.lines and not client.waits
            if ready and (client is self.console or not client.full):
                taken = client, client.lines.popleft()
                self._watch(client)
                break
        self.stirred = any(
            (client.lines and not client.waits) or client.gone or client.deaf
            for client in self._turn
        )
        return taken

    @property
    def waiting(self) -> bool:
        """Whether lines that were read are still to be answered."""
        return any(client.lines and not client.deaf for client in self._turn)

    def answered(self, client: Client) -> None:
        """Go on with the lines of a client that had to wait for a reply."""
        client.waits = False
        self.stirred = True

    def rename(self, client: Client, name: str) -> None:
        """Rename a client.

        Raises:
            Refused: Another client has that name, or it is reserved.
        """
        taken = any(other.name == name for other in self._turn if other is not client)
        if taken or name.startswith(RESERVED_NAMES):
            raise Refused(f"the name {name} is taken or reserved; choose another")
        client.name = name

    def departed(self) -> list[Client]:
        """Clients on the socket that have left since the last call."""
        if not self._sockets:
            return []
        gone = [client for client in self._turn if self._has_left(client)]
        for client in gone:
            self._forget(client)
        return gone

    def drop_idle(self) -> bool:
        """Disconnect clients in the reserve that send nothing; whether there were any."""
        long_ago = time.monotonic() - _IDLE_IN_RESERVE
        idle = [client for client in self._in_reserve if client.since < long_ago]
        for client in idle:
            self._dismiss(client)
        return bool(idle)

    def close(self) -> None:
        """Disconnect all clients and remove the socket."""
        for client in list(self._turn):
            self._forget(client)
        self._server.close()
        if self._wake is not None:
            self._wake.close()
        self._path.unlink(missing_ok=True)

    def _has_left(self, client: Client) -> bool:
        if client is self.console:
            return False
        return client.deaf or (
            client.gone and not client.waits and (client.full or not client.lines)
        )

    def _accept(self) -> None:
        try:
            connection, _ = self._server.accept()
        except OSError:
            return
        connection.setblocking(False)
        self._make_room()
        self._count += 1
        descriptor = connection.fileno()
        self._sockets[descriptor] = connection
        client = Client(f"client-{self._count}", descriptor, descriptor)
        client.reserved = self._places_left <= 0
        self._add(client)

    @property
    def _in_reserve(self) -> list[Client]:
        return [client for client in self._turn if client.reserved and not client.deaf]

    @property
    def _places_left(self) -> int:
        return _MOST_CLIENTS - sum(
            not (client.reserved or client.deaf or client is self.console) for client in self._turn
        )

    def _make_room(self) -> None:
        """Disconnect a client that never sent a line, or else the first one in a full reserve."""
        if self._places_left > 0:
            return
        long_ago = time.monotonic() - _SILENT
        silent = [
            client
            for client in self._turn
            if not (client.heard or client.reserved or client.deaf or client is self.console)
            and client.since < long_ago
        ]
        if silent:
            self._dismiss(min(silent, key=lambda client: client.since))
        elif len(self._in_reserve) >= _RESERVE:
            self._dismiss(min(self._in_reserve, key=lambda client: client.since))

    def _dismiss(self, client: Client) -> None:
        """Disconnect a client; it departs with the others that have left."""
        with contextlib.suppress(OSError):
            os.write(client.write_descriptor, b"ERR too many clients, and you were silent\n")
        client.deaf = True
        self.stirred = True

    def _add(self, client: Client) -> None:
        self._clients[client.read_descriptor] = client
        self._turn.append(client)
        self._watch(client)

    def _read(self, client: Client, flags: int) -> None:
        if flags & _HUNG_UP:
            client.hang_up()
        client.read()
        self.stop_asked |= client.stop_asked
        self._watch(client)

    def _watch(self, client: Client) -> None:
        """Watch a client for its end and, while it may be read, for input."""
        if client.gone:
            self._unwatch(client.read_descriptor)
        else:
            wanted = select.POLLIN if client.wants_reading else 0
            self._register(client.read_descriptor, wanted | select.POLLRDHUP)

    def _register(self, descriptor: int, wanted: int) -> None:
        if self._watched.get(descriptor) == wanted:
            return
        known = descriptor in self._watched
        self._watched[descriptor] = wanted
        self._poll.register(descriptor, wanted)
        if self._wake is None:
            return
        try:
            (self._wake.modify if known else self._wake.register)(descriptor, wanted)
        except (FileNotFoundError, PermissionError):
            # a file on standard input is always ready
            self._all_watched = False

    def _unwatch(self, descriptor: int) -> None:
        if self._watched.pop(descriptor, None) is None:
            return
        self._poll.unregister(descriptor)
        if self._wake is not None:
            with contextlib.suppress(OSError):
                self._wake.unregister(descriptor)

    def _forget(self, client: Client) -> None:
        while client.wants_writing and client is not self.console and not client.deaf:
            if not client.flush():
                break
        self._turn.remove(client)
        if not client.reserved and self._in_reserve:
            min(self._in_reserve, key=lambda other: other.since).reserved = False
        self._unwatch(client.read_descriptor)
        self._clients.pop(client.read_descriptor, None)
        if client is self.console:
            for descriptor in (client.read_descriptor, client.write_descriptor):
                if descriptor not in self._inherited:
                    os.close(descriptor)
        else:
            self._sockets.pop(client.read_descriptor).close()


def _unread(descriptor: int) -> int:
    """How many bytes in a pipe nobody has read."""
    return struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, b"\0" * 4))[0]


def _new_epoll() -> "select.epoll | None":
    """An epoll object; None on systems without it."""
    try:
        return select.epoll()
    except (AttributeError, OSError):
        return None


def _listen(path: Path) -> socket.socket:
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        remove_socket(path)
        server.bind(str(path))
        path.chmod(0o600)
    except OSError as error:
        server.close()
        raise PliantError(
            f"no socket at {path}: {error}; a shorter PLIANT_RUNTIME_DIR or name may help"
        ) from None
    server.listen()
    server.setblocking(False)
    return server
