"""A connection that never blocks: a slow client misses whole packages, never parts of one."""

import socket

_MOST_INPUT = 1 << 20
"""Most bytes of one client that wait to be understood."""

_CHUNK = 1 << 16


class ByteChannel:
    """One client of a server.

    Attributes:
        socket: Its socket.
        received: Bytes that came and were not yet taken.
        unsent: Number of packages that it missed because it was slow.
    """

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = connection
        self.received = bytearray()
        self.unsent = 0
        self._rest = b""

    def receive(self) -> bool:
        """Read what has come; False if the client has gone, or sends without end."""
        try:
            data = self.socket.recv(_CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.received += data
        return bool(data) and len(self.received) < _MOST_INPUT

    def send(self, data: bytes) -> None:
        """Send a reply; it waits behind what is left of the package before it."""
        self._rest += data
        self._flush()

    def send_if_ready(self, data: bytes) -> bool:
        """Send a package, or skip it if the one before has not left entirely."""
        if self._rest:
            self._flush()
        if self._rest:
            self.unsent += 1
            return False
        self._rest = data
        self._flush()
        return True

    def close(self) -> None:
        """Hang up."""
        self.socket.close()

    def _flush(self) -> None:
        try:
            sent = self.socket.send(self._rest)
        except OSError:
            # full; or the client has gone, which its end of file will tell
            return
        self._rest = self._rest[sent:]
