"""HTTP connections that cannot be used up: bounded in number, and closed while they are silent.

A connection that has not finished a request holds nothing but a place. If all places are taken, the
connection that has been silent for longest loses its own; a browser sends its request at once, so
it always gets in. WebSockets have been let in with the token and take no place.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_TIMEOUT = 5.0
"""Time for a request to arrive, and between two requests, s."""
MOST_CONNECTIONS = 192
MOST_FROM_ONE = 96
"""Most connections at a time: in all, and from one address."""
BACKLOG = 128
"""Most connections that are accepted before anything else is done."""


class Places:
    """The connections of a server by their address, in the order in which they fell silent."""

    def __init__(self) -> None:
        self._taken: defaultdict[str, dict[GuardedProtocol, None]] = defaultdict(dict)
        self._count = 0

    def take(self, connection: "GuardedProtocol") -> None:
        """Give a place to a connection; the one that is silent for longest may lose its own."""
        near = self._taken[connection.address]
        near[connection] = None
        self._count += 1
        if len(near) > MOST_FROM_ONE:
            _close_first_silent(near)
        elif self._count > MOST_CONNECTIONS:
            # those who have the most give one back
            _close_first_silent(max(self._taken.values(), key=len))

    def renew(self, connection: "GuardedProtocol") -> None:
        """Note that a connection was used."""
        if self.leave(connection):
            self.take(connection)

    def leave(self, connection: "GuardedProtocol") -> bool:
        """Give a place back; returns whether the connection had one."""
        near = self._taken[connection.address]
        if connection not in near:
            return False
        del near[connection]
        self._count -= 1
        if not near:
            del self._taken[connection.address]
        return True


class GuardedProtocol(H11Protocol):
    """A connection that is closed if no complete request comes in time.

    Attributes:
        places: The places of the server.
    """

    places: Places

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place, and begin to wait for a request."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._answered: Any = None
        self._timer = self.loop.call_later(HEADER_TIMEOUT, self._check)
        self.places.take(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._give_up()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Give the place back: the connection goes on as a WebSocket."""
        self._give_up()
        super().handle_websocket_upgrade(event)

    @property
    def silent(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def close_silent(self) -> None:
        """Close the connection and give its place back at once."""
        self._give_up()
        self.transport.abort()

    def _give_up(self) -> None:
        self._timer.cancel()
        self.places.leave(self)

    def _check(self) -> None:
        if self.silent and self.cycle is self._answered:
            self.close_silent()
            return
        self._answered = self.cycle
        self._timer = self.loop.call_later(HEADER_TIMEOUT, self._check)
        self.places.renew(self)


def guarded_protocol() -> type[GuardedProtocol]:
    """The connections of one server, which share its places."""
    return type("ServerConnection", (GuardedProtocol,), {"places": Places()})


def _close_first_silent(connections: Iterable[GuardedProtocol]) -> None:
    for connection in connections:
        if connection.silent:
            connection.close_silent()
            return
