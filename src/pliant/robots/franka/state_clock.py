"""The clock of a Franka arm: a tick begins when the arm's state arrives."""

import time
from typing import Any

from pliant.errors import PliantError
from pliant.robots.franka.fci_connection import FciConnection
from pliant.tick import Rows

_CONNECTING = 2.0
"""Longest time without a state while nothing moves, s."""

_FIRST = 4
"""Ticks that may take long, because everything in them happens for the first time."""


class StateClock:
    """Waits for states, always for the newest one.

    A lost connection does not raise here, where nobody would stop the arm: `state` does, when the
    robot is read.
    """

    def __init__(self, dt: float, silence: float) -> None:
        """Make a clock without an arm.

        Args:
            dt: The period, s.
            silence: Longest time without a state, s.
        """
        self._dt = dt
        self._silence = silence
        self._connection: FciConnection | None = None
        self._state: Any = None
        self._stamp = 0.0
        self._error: PliantError | None = None
        self._woke = time.monotonic()
        self._waits = 0

    def open(self, connection: FciConnection) -> None:
        """Wait for the next state of an arm, outside a tick.

        Raises:
            PliantError: None comes.
        """
        self._connection = connection
        self._next(_CONNECTING)
        self.state  # noqa: B018

    @property
    def settled(self) -> bool:
        """Whether the first ticks are over."""
        return self._waits >= _FIRST

    @property
    def state(self) -> Any:
        """The newest state.

        Raises:
            PliantError: The connection is lost.
        """
        if self._error is not None:
            raise self._error
        if self._state is None:
            raise PliantError("the arm is not connected")
        return self._state

    def wait(self, prev: Rows, tick: Rows) -> None:
        """Wait for the next state, and write the columns of stage `clock`."""
        busy = time.monotonic() - self._woke
        missed = self._next(self._silence) if self.settled else self._begin()
        self._woke = time.monotonic()
        k = prev["k"].item() + 1
        tick["k"], tick["time"], tick["dt"] = k, k * self._dt, self._dt
        tick["lateness"], tick["busy"] = missed, busy

    def _begin(self) -> float:
        """Take the state of a first tick, before which nothing moves: nobody is late."""
        self._waits += 1
        self._next(_CONNECTING)
        return 0.0

    def _next(self, silence: float) -> float:
        """Take the newest state; the time of those that were missed, s."""
        if self._connection is None or self._error is not None:
            return 0.0
        try:
            self._state = self._connection.next(silence)
        except PliantError as error:
            self._error = error
            return 0.0
        before, self._stamp = self._stamp, self._state.time.to_sec()
        step = self._stamp - before
        return max(0.0, step - self._dt) if before and step > 1.5 * self._dt else 0.0
