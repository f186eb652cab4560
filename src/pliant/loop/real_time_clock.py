"""The clock of real time: absolute deadlines, one period apart."""

import time
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pliant.loop import system_clock
from pliant.loop.clock import clock_kernel
from pliant.loop.system_clock import Timespec, monotonic_ns, sleep_until
from pliant.loop.telemetry import Telling, new_telling, tell
from pliant.numerics.kernels import Direct, Row, direct, kernel, kernel_that_waits
from pliant.params import row_of
from pliant.tick import Rows, Tick

Rang = NDArray[np.uint8]
"""Whether a bell rang, in the first byte."""


class RealTimeClock:
    """Absolute deadlines, one period apart, on the monotonic clock.

    A tick that comes later than a whole period does not make the next ones hurry: the deadlines it
    missed are left out, and its lateness says so.

    Attributes:
        wait: Sleeps until the next deadline and writes the clock's columns; tells if a bell rang.
        tells: Whether it waits in a kernel, which also sends telemetry.
        own: What that kernel takes beside the ticks.
    """

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self.tells = system_clock.IN_KERNELS
        self._times = row_of({"period": round(dt * 1e9), "deadline": 0, "woke": 0})
        self._note = Direct(note_kernel)
        self.watch(bytearray([True]), new_telling())

    def watch(self, rang: bytearray, telling: Rows) -> None:
        """Tell of a bell that is ringing when a tick begins; without one, it always is.

        Args:
            rang: Whether it rings, in the first byte; also rung by telemetry that cannot be sent.
            telling: Telemetry of the last tick, to be sent before a sleep.
        """
        self._rang = np.frombuffer(rang, np.uint8)
        self.own = (self._dt, self._times, self._rang, telling, np.zeros(2, np.int64))
        self.wait: Callable[[Rows, Rows], bool] = self._begin
        if not self.tells:
            self.wait = self._wait_in_python

    def _begin(self, prev: Rows, tick: Rows) -> bool:
        """The first tick: only now it is known what kind of rows there are."""
        self.wait = partial(direct(wait_kernel, *self.own, prev, tick), *self.own)
        return self.wait(prev, tick)

    def _wait_in_python(self, prev: Rows, tick: Rows) -> bool:
        now = time.monotonic_ns()
        pause = deadline_after(self._times, now) - now
        if pause > 0:
            # the system itself counts a sleep from now as one until an instant
            time.sleep(pause * 1e-9)
        self._note.call(prev, tick, self._dt, self._times, now, time.monotonic_ns())
        return bool(self._rang[0])


class Times:
    """What a clock remembers, ns."""

    period: int
    deadline: int
    woke: int


ClockOwn = tuple[float, Row[Times], Rang, Row[Telling], Timespec]
"""What waiting takes beside the ticks."""


@kernel_that_waits
def wait_kernel(
    dt: float,
    times: Row[Times],
    rang: Rang,
    telling: Row[Telling],
    spec: Timespec,
    prev: Row[Tick],
    tick: Row[Tick],
) -> bool:
    """Send what is due, sleep until the next deadline and write all clock columns of one tick.

    Returns:
        Whether the bell rang.
    """
    if tell(prev, telling):
        rang[0] = 1
    now = monotonic_ns(spec)
    sleep_until(deadline_after(times, now), spec)
    note_kernel(prev, tick, dt, times, now, monotonic_ns(spec))
    return rang[0] != 0


@kernel
def deadline_after(times: Row[Times], now: int) -> int:
    """The next deadline; the first is one period from now."""
    if times[0].deadline == 0:
        times[0].woke, times[0].deadline = now, now + times[0].period
    return times[0].deadline


@kernel
def note_kernel(
    prev: Row[Tick], tick: Row[Tick], dt: float, times: Row[Times], done: int, woke: int
) -> None:
    """All clock columns of one tick, from when the last one was done and when this one began."""
    own = times[0]
    late = max(0, woke - own.deadline)
    clock_kernel(prev, tick, dt, late * 1e-9, (done - own.woke) * 1e-9)
    own.woke = woke
    own.deadline += own.period * (1 + late // own.period)
