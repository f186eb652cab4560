"""The lease: who may command an arm, and the watchdog over who does."""

from collections.abc import Callable
from math import inf

from pliant.controller.line_client import Client
from pliant.errors import Refused


class Lease:
    """Held by the first to command while it is free, until that one lets go or is gone.

    Times are those of the ticks, s.

    Attributes:
        holder: Who holds it.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        """Make a lease that nobody holds.

        Args:
            tell: Told who is in control whenever that changes, so that nobody need ask.
        """
        self.holder: Client | None = None
        self._tell = tell
        self._watchdog = inf
        self._fed = 0.0

    def need(self, client: Client, now: float) -> None:
        """Take it if it is free.

        Raises:
            Refused: Someone else holds it.
        """
        if self.holder is None:
            self.holder = client
            self.tell()
            self._fed = now
        if self.holder is not client:
            raise Refused(f"{self.holder.name} is in control; STOP is anyone's")

    def do(self, client: Client, action: str, now: float) -> str:
        """Take it, release it or tell about it; who is in control then, in words.

        Raises:
            Refused: It cannot be taken.
        """
        if action == "take":
            self.need(client, now)
        elif action == "release" and self.holder is client:
            self.free()
        return f"{self.holder.name if self.holder else 'nobody'} is in control"

    def free(self) -> None:
        """Nobody holds it, and the watchdog, which watched over who did, is off."""
        self.holder = None
        self._watchdog = inf
        self.tell()

    def tell(self) -> None:
        """Tell who holds it."""
        self._tell(self.holder.name if self.holder else "nobody")

    def watch(self, seconds: float) -> None:
        """Set the watchdog; 0 is off."""
        self._watchdog = seconds or inf

    def feed(self, client: Client, now: float) -> None:
        """Someone was heard of."""
        if client is self.holder:
            self._fed = now

    def time_left(self, now: float) -> float:
        """How long it is until the watchdog bites, s."""
        return self._fed + self._watchdog - now
