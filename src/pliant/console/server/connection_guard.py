"""HTTP connections that cannot be used up: bounded in number, and closed while they are silent.

A connection that has not finished a request holds nothing but a place. If all places are taken, the
connection that has been silent for longest loses its own; a browser sends its request at once, so
it always gets in. WebSockets have been let in with the token and are not counted here.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_TIMEOUT = 5.0
"""Time for a request to arrive, and between two requests, s."""
MOST_CONNECTIONS = 192
MOST_FROM_ONE = 96
"""Most connections at a time: in all, and from one address."""


class GuardedProtocol(H11Protocol):
    """A connection that is closed if no complete request comes in time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place, and begin to wait for a request."""
        super().connection_made(transport)
        self._seen: Any = None
        self._since = self.loop.time()
        self._make_room()
        self._timer = self.loop.call_later(HEADER_TIMEOUT, self._check)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._timer.cancel()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Give the place back: the connection goes on as a WebSocket."""
        self._timer.cancel()
        super().handle_websocket_upgrade(event)

    @property
    def silent(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _check(self) -> None:
        if self.silent and self.cycle is self._seen:
            self.transport.abort()
            return
        self._seen, self._since = self.cycle, self.loop.time()
        self._timer = self.loop.call_later(HEADER_TIMEOUT, self._check)

    def _make_room(self) -> None:
        """Close the connection that is silent for longest if this one is one too many."""
        others = [other for other in self.connections if isinstance(other, GuardedProtocol)]
        near = [other for other in others if other._address == self._address]
        crowd = near if len(near) > MOST_FROM_ONE else others
        if crowd is near or len(others) > MOST_CONNECTIONS:
            silent = [other for other in crowd if other.silent]
            # this one is silent too, and the youngest
            min(silent, key=lambda other: other._since).transport.abort()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""
