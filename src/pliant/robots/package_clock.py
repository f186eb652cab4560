"""The clock of an arm over the wire: a tick begins when the arm's package arrives."""

import time
from collections.abc import Callable
from typing import Generic, TypeVar

from pliant.errors import PliantError
from pliant.tick import Rows

State = TypeVar("State")

_CONNECTING = 2.0
"""Longest time without a package while nothing moves: a program may be uploaded meanwhile, s."""

_FIRST = 4
"""Ticks that may take long, because everything in them happens for the first time."""


class PackageClock(Generic[State]):
    """Waits for packages, always for the newest one.

    A lost connection does not raise here, where nobody would stop the arm: `state` does, when the
    robot is read.

    Attributes:
        packages: How many there were.
    """

    def __init__(self, dt: float, silence: float) -> None:
        """Make a clock without an arm.

        Args:
            dt: The period, s.
            silence: Longest time without a package, s.
        """
        self.packages = 0
        self._dt = dt
        self._silence = silence
        self._newest: Callable[[float], tuple[State, float]] | None = None
        self._state: State | None = None
        self._stamp = 0.0
        self._error: PliantError | None = None
        self._woke = time.monotonic()
        self._waits = 0

    def open(self, newest: Callable[[float], tuple[State, float]]) -> None:
        """Wait for the next package of an arm, outside a tick.

        Args:
            newest: Waits for a package, so many seconds at most; the state in the newest one, and
                the arm's time, s.

        Raises:
            PliantError: None comes.
        """
        self._newest = newest
        self._next(_CONNECTING)
        self.state  # noqa: B018

    @property
    def settled(self) -> bool:
        """Whether the first ticks are over."""
        return self._waits >= _FIRST

    @property
    def nearly_settled(self) -> bool:
        """Whether the first ticks are over but for the next, which may be late for this one."""
        return self._waits >= _FIRST - 1

    @property
    def lost(self) -> bool:
        """Whether packages no longer come."""
        return self._error is not None

    @property
    def state(self) -> State:
        """The state in the newest package.

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
        missed = self._next(self._silence) if self.settled else self._begin()
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
        if self._newest is None or self._error is not None:
            return 0.0
        before = self._stamp
        try:
            self._state, self._stamp = self._newest(silence)
        except PliantError as error:
            self._error = error
            return 0.0
        self.packages += 1
        step = self._stamp - before
        return max(0.0, step - self._dt) if self.packages > 1 and step > 1.5 * self._dt else 0.0
