"""The clock of real time: absolute deadlines, one period apart."""

import time
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pliant.loop import system_clock
from pliant.loop.clock import clock_kernel
from pliant.loop.system_clock import Timespec, monotonic_ns, sleep_until
from pliant.loop.telemetry_line import TelemetryState, no_telemetry, send_if_due
from pliant.numerics.kernels import Direct, Row, direct, kernel, kernel_that_waits
from pliant.params import row_of
from pliant.tick import Rows, Tick

Flag = NDArray[np.uint8]
"""A wakeup flag: its first byte is not zero if there is input."""


class RealTimeClock:
    """Absolute deadlines, one period apart, on the monotonic clock.

    Deadlines missed by a tick that is late by more than a period are skipped, not made up for.

    Attributes:
        wait: Sleeps until the next deadline and writes the clock's columns; whether there is input.
        sends_telemetry: Whether it waits in a kernel, which also sends telemetry.
        own: The arguments of that kernel beside the ticks.
    """

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self.sends_telemetry = system_clock.IN_KERNELS
        self._times = row_of({"period": round(dt * 1e9), "deadline": 0, "woke": 0})
        self._note = Direct(note_kernel)
        self.watch(bytearray([True]), no_telemetry())

    def watch(self, flag: bytearray, telemetry: Rows) -> None:
        """Watch a wakeup flag; without one, there may always be input.

        Args:
            flag: Its first byte is not zero if there is input; unsent telemetry sets it too.
            telemetry: State of the telemetry that is sent before each sleep.
        """
        self._flag = np.frombuffer(flag, np.uint8)
        self.own = (self._dt, self._times, self._flag, telemetry, np.zeros(2, np.int64))
        self.wait: Callable[[Rows, Rows], bool] = self._begin
        if not self.sends_telemetry:
            self.wait = self._wait_in_python

    def _begin(self, prev: Rows, tick: Rows) -> bool:
        """Link the kernel at the first tick, when the type of the rows is known."""
        self.wait = partial(direct(wait_kernel, *self.own, prev, tick), *self.own)
        return self.wait(prev, tick)

    def _wait_in_python(self, prev: Rows, tick: Rows) -> bool:
        now = time.monotonic_ns()
        pause = deadline_after(self._times, now) - now
        if pause > 0:
            # time.sleep waits for an absolute deadline, so a relative pause does not drift
            time.sleep(pause * 1e-9)
        self._note.call(prev, tick, self._dt, self._times, now, time.monotonic_ns())
        return bool(self._flag[0])


class Times:
    """State of a clock, ns."""

    period: int
    deadline: int
    woke: int


ClockOwn = tuple[float, Row[Times], Flag, Row[TelemetryState], Timespec]
"""Arguments of the wait beside the ticks."""


@kernel_that_waits
def wait_kernel(
    dt: float,
    times: Row[Times],
    flag: Flag,
    telemetry: Row[TelemetryState],
    spec: Timespec,
    prev: Row[Tick],
    tick: Row[Tick],
) -> bool:
    """Send telemetry, sleep until the next deadline and write all clock columns of one tick.

    Returns:
        Whether there is input.
    """
    if send_if_due(prev, telemetry):
        flag[0] = 1
    now = monotonic_ns(spec)
    sleep_until(deadline_after(times, now), spec)
    note_kernel(prev, tick, dt, times, now, monotonic_ns(spec))
    return flag[0] != 0


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
