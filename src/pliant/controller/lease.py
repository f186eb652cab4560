"""The lease: which client may command the arm, and the watchdog over that client."""

from collections.abc import Callable
from math import inf

from pliant.controller.line_client import Client
from pliant.errors import Refused

NOBODY = "nobody"
"""Reported as the client in control while the lease is free."""


class Lease:
    """The first client to command while it is free holds it, until it releases it or is gone.

    Times are the arm's, s.

    Attributes:
        holder: The client in control; None if nobody is.
    """

    def __init__(self, publish: Callable[[str], None]) -> None:
        """Make a lease that nobody holds.

        Args:
            publish: Called with the name of the client in control whenever that changes.
        """
        self.holder: Client | None = None
        self._publish = publish
        self._watchdog = inf
        self._fed = 0.0

    def need(self, client: Client, now: float) -> None:
        """Make sure that a client holds it; a free lease is taken.

        Raises:
            Refused: Another client holds it.
        """
        if self.holder is None:
            self.holder = client
            self.announce()
            self._fed = now
        if self.holder is not client:
            raise Refused(f"{self.holder.name} is in control; any client may send STOP")

    def do(self, client: Client, action: str, now: float) -> str:
        """Take it, release it or ask for it; the name of the client in control then.

        Raises:
            Refused: Another client holds it.
        """
        if action == "take":
            self.need(client, now)
        elif action == "release" and self.holder is client:
            self.free()
        return self.holder_name

    @property
    def holder_name(self) -> str:
        """The name of the client in control, or `NOBODY`."""
        return self.holder.name if self.holder else NOBODY

    def free(self) -> None:
        """Let nobody hold it, and switch the watchdog off."""
        self.holder = None
        self._watchdog = inf
        self.announce()

    def announce(self) -> None:
        """Publish who is in control."""
        self._publish(self.holder_name)

    def watch(self, seconds: float) -> None:
        """Set the watchdog; 0 is off."""
        self._watchdog = seconds or inf

    def feed(self, client: Client, now: float) -> None:
        """Note that a line came from a client."""
        if client is self.holder:
            self._fed = now

    def time_left(self, now: float) -> float:
        """Time until the watchdog acts, s."""
        return self._fed + self._watchdog - now
