"""The clock of real time: absolute deadlines, one period apart."""

import time

import numpy as np

from pliant.loop.clock import clock_kernel
from pliant.loop.system_clock import IN_KERNELS, Timespec, monotonic_ns, sleep_until
from pliant.numerics.kernels import Direct, Row, kernel, kernel_that_waits
from pliant.params import row_of
from pliant.tick import Rows, Tick


class RealTimeClock:
    """Absolute deadlines, one period apart, on the monotonic clock.

    Deadlines missed by a tick that is late by more than a period are skipped, not made up for.
    """

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self._times = row_of({"period": round(dt * 1e9), "deadline": 0, "woke": 0})
        self._spec = np.zeros(2, np.int64)
        self._sleep, self._note = Direct(wait_kernel), Direct(note_kernel)

    def wait(self, prev: Rows, tick: Rows) -> None:
        """Sleep until the next deadline and write the clock's columns."""
        if IN_KERNELS:
            self._sleep.call(prev, tick, self._dt, self._times, self._spec)
        else:
            self._wait_in_python(prev, tick)

    def _wait_in_python(self, prev: Rows, tick: Rows) -> None:
        now = time.monotonic_ns()
        pause = deadline_after(self._times, now) - now
        if pause > 0:
            # time.sleep waits for an absolute deadline, so a relative pause does not drift
            time.sleep(pause * 1e-9)
        self._note.call(prev, tick, self._dt, self._times, now, time.monotonic_ns())


class Times:
    """State of a clock, ns."""

    period: int
    deadline: int
    woke: int


@kernel_that_waits
def wait_kernel(
    prev: Row[Tick], tick: Row[Tick], dt: float, times: Row[Times], spec: Timespec
) -> None:
    """Sleep until the next deadline and write all clock columns of one tick."""
    now = monotonic_ns(spec)
    sleep_until(deadline_after(times, now), spec)
    note_kernel(prev, tick, dt, times, now, monotonic_ns(spec))


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
    """All clock columns of one tick, from the end of the last one and the start of this one."""
    own = times[0]
    late = max(0, woke - own.deadline)
    clock_kernel(prev, tick, dt, late * 1e-9, (done - own.woke) * 1e-9)
    own.woke = woke
    own.deadline += own.period * (1 + late // own.period)
