"""The clock of a real arm: a tick begins when the arm's package arrives."""

import time

from pliant.errors import PliantError
from pliant.robots.ur.rtde_client import RtdeClient
from pliant.robots.ur.ur_state import UrState
from pliant.tick import Rows

_CONNECTING = 2.0
"""Longest time without a package while nothing moves: a program is uploaded meanwhile, s."""

_FIRST = 4
"""Ticks that may take long, because everything in them happens for the first time."""


class PackageClock:
    """Waits for packages, always to the newest one.

    A lost connection does not raise here, where nobody would stop the arm: `state` does, when the
    robot is read.
    """

    def __init__(self, dt: float, silence: float) -> None:
        """Make a clock without an arm.

        Args:
            dt: The period, s.
            silence: Longest time without a package, s.
        """
        self._dt = dt
        self._silence = silence
        self._client: RtdeClient | None = None
        self._state: UrState | None = None
        self._error: PliantError | None = None
        self._woke = time.monotonic()
        self._waits = 0
        self.packages = 0

    def open(self, client: RtdeClient) -> None:
        """Wait for the next package of an arm, outside a tick.

        Raises:
            PliantError: None comes.
        """
        self._client = client
        self._next(_CONNECTING)
        self.state  # noqa: B018

    @property
    def nearly_settled(self) -> bool:
        """Whether the first ticks are over but for the next, which may be late for this one."""
        return self._waits >= _FIRST - 1

    @property
    def lost(self) -> bool:
        """Whether packages no longer come."""
        return self._error is not None

    @property
    def state(self) -> UrState:
        """The newest package.

        Raises:
            PliantError: The connection is lost.
        """
        if self._error is not None:
            raise self._error
        if self._state is None:
            raise PliantError("the arm is not connected")
        return self._state

    def wait(self, prev: Rows, tick: Rows) -> None:
        """Wait for the next package, and write the columns of stage `clock`."""
        busy = time.monotonic() - self._woke
        missed = self._next(self._silence) if self._waits >= _FIRST else self._begin()
        self._woke = time.monotonic()
        k = prev["k"].item() + 1
        tick["k"], tick["time"], tick["dt"] = k, k * self._dt, self._dt
        tick["lateness"], tick["busy"] = missed, busy

    def _begin(self) -> float:
        """Take the package of a first tick, before which nothing moves: nobody is late."""
        self._waits += 1
        self._next(_CONNECTING)
        return 0.0

    def _next(self, silence: float) -> float:
        """Take the newest package; the time of those that were missed, s."""
        if self._client is None or self._error is not None:
            return 0.0
        try:
            values, _ = self._client.newest(silence)
        except PliantError as error:
            self._error = error
            return 0.0
        before, self._state = self._state, UrState(self._client.recipe, values)
        self.packages += 1
        if before is None:
            return 0.0
        step = self._state["timestamp"] - before["timestamp"]
        return max(0.0, step - self._dt) if step > 1.5 * self._dt else 0.0
