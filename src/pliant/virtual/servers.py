"""What virtual arms have in common: servers in one thread, and lines on standard input."""

import atexit
import contextlib
import gc
import os
import selectors
import socket
from collections.abc import Callable
from ipaddress import ip_address

from pliant.errors import ConfigError, PliantError
from pliant.virtual.byte_channel import ByteChannel

_PRIORITY = 85
"""Real-time priority of the arm: above that of controllers."""


class Servers:
    """Serves clients between two control periods.

    Attributes:
        cable: Whether the network reaches the arm; without it, lines are still obeyed.
    """

    def __init__(self, kind: str, host: str) -> None:
        """Make it, without a server.

        Args:
            kind: What it is, for messages.
            host: Where to listen; a loopback address.

        Raises:
            ConfigError: The address cannot be used.
        """
        _require_loopback(kind, host)
        self._kind, self._host = kind, host
        # epoll would round the time to the next deadline up to a millisecond
        self._selector = selectors.SelectSelector()
        # what is served while the cable is pulled
        self._lines = selectors.SelectSelector()
        self._listening: dict[int, socket.socket] = {}
        self._gone: dict[ByteChannel, Callable[[], None]] = {}
        self.cable = True

    def listen(self, port: int, accept: Callable[[ByteChannel], None]) -> None:
        """Listen on a port.

        Args:
            port: Its number.
            accept: Called with each new client, which it registers.

        Raises:
            ConfigError: The port cannot be used.
        """
        try:
            server = socket.create_server((self._host, port), backlog=16)
        except OSError as error:
            raise ConfigError(
                f"{self._host} port {port} cannot be used: {error.strerror}; another "
                f"{self._kind} may run there: give --host 127.0.0.2"
            ) from None
        server.setblocking(False)
        self._listening[port] = server
        self.watch(server, lambda: _accept(server, accept))

    def refuse(self, port: int) -> None:
        """Listen on a port no more."""
        server = self._listening.pop(port, None)
        if server is not None:
            self._selector.unregister(server)
            server.close()

    def watch(self, connection: socket.socket, ready: Callable[[], None]) -> None:
        """Call a function whenever something can be read from a socket."""
        self._selector.register(connection, selectors.EVENT_READ, ready)

    def register(
        self, channel: ByteChannel, received: Callable[[], bool], gone: Callable[[], None]
    ) -> None:
        """Serve a client.

        Args:
            channel: Its connection.
            received: Called when something has come; False hangs up.
            gone: Called after it was dropped.
        """

        def serve() -> None:
            there = channel.receive()
            if not received() or not there:
                self.drop(channel)

        self._gone[channel] = gone
        self.watch(channel.socket, serve)

    def drop(self, channel: ByteChannel) -> None:
        """Hang up on a client."""
        gone = self._gone.pop(channel, None)
        if gone is None:
            return
        self._selector.unregister(channel.socket)
        channel.close()
        gone()

    def drop_all(self) -> None:
        """Hang up on all clients."""
        for channel in list(self._gone):
            self.drop(channel)

    def serve(self, timeout: float) -> None:
        """Serve what has come, or comes within a time in seconds."""
        selector = self._selector if self.cable else self._lines
        for key, _ in selector.select(timeout):
            key.data()

    def obey_lines(self, obey: Callable[[str], str], stop: Callable[[], None]) -> None:
        """Obey lines on standard input.

        Args:
            obey: Obeys a line; its answer is printed.
            stop: Called at the end of standard input.
        """
        os.set_blocking(0, False)
        for selector in (self._selector, self._lines):
            selector.register(0, selectors.EVENT_READ, lambda: _read_lines(obey, stop))

    def close(self) -> None:
        """Hang up, and listen no more."""
        self.drop_all()
        for key in list(self._selector.get_map().values()):
            if isinstance(key.fileobj, socket.socket):
                key.fileobj.close()
        self._selector.close()
        self._lines.close()


def keep_deadlines() -> None:
    """Run before ordinary processes, where that is permitted, and collect no old garbage."""
    gc.collect()
    # looking through what was imported takes a tenth of a second
    gc.freeze()
    atexit.register(gc.unfreeze)
    with contextlib.suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(_PRIORITY))


def _accept(server: socket.socket, accept: Callable[[ByteChannel], None]) -> None:
    try:
        connection, _ = server.accept()
    except OSError:
        return
    accept(ByteChannel(connection))


def _read_lines(obey: Callable[[str], str], stop: Callable[[], None]) -> None:
    data = os.read(0, 1 << 16)
    if not data:
        stop()
    for line in data.decode(errors="replace").splitlines():
        try:
            answer = obey(line)
        except PliantError as error:
            answer = f"error: {error}"
        print(answer, flush=True)


def _require_loopback(kind: str, host: str) -> None:
    try:
        allowed = ip_address(host).is_loopback
    except ValueError:
        allowed = False
    if not allowed:
        raise ConfigError(f"a {kind} listens on loopback only, as on 127.0.0.2, not on {host}")
