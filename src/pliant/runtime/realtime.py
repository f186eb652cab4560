"""What makes a process keep its deadlines, as far as the system permits it."""

import ctypes
import gc
import os
import time

from pliant.runtime.clock import clock_kernel
from pliant.tick import Rows

_MCL_CURRENT_AND_FUTURE = 3
_PRIORITY = 80


class RealTimeClock:
    """Absolute deadlines, one period apart, on the monotonic clock.

    A tick that comes later than a whole period does not make the next ones hurry: the deadlines it
    missed are left out, and its lateness says so.
    """

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self._period = round(dt * 1e9)
        self._deadline = 0
        self._woke = 0

    def wait(self, prev: Rows, tick: Rows) -> None:
        """Sleep until the next deadline and write the clock's columns."""
        if self._deadline == 0:
            self._woke = time.monotonic_ns()
            self._deadline = self._woke + self._period
        busy = time.monotonic_ns() - self._woke
        ahead = self._deadline - time.monotonic_ns()
        if ahead > 0:
            time.sleep(ahead * 1e-9)
        self._woke = time.monotonic_ns()
        late = max(0, self._woke - self._deadline)
        clock_kernel(prev, tick, self._dt, late * 1e-9, busy * 1e-9)
        self._deadline += self._period * (1 + late // self._period)


def prepare(cpu: int | None = None) -> list[str]:
    """Ask the system for what real time needs; one message for each thing it does not grant.

    Collects garbage once and then never again: the loop makes none that matters, and a collection
    in mid-tick takes longer than the tick.
    """
    messages = []
    for what, ask in (
        ("real-time priority", _ask_priority),
        ("locked memory", _lock_memory),
        (f"CPU {cpu}", lambda: _pin(cpu)),
    ):
        try:
            ask()
        except OSError as error:
            messages.append(f"no {what}: {error.strerror or error}; ticks may be late")
    gc.collect()
    gc.freeze()
    gc.disable()
    return messages


def _ask_priority() -> None:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(_PRIORITY))


def _lock_memory() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mlockall(_MCL_CURRENT_AND_FUTURE) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _pin(cpu: int | None) -> None:
    if cpu is not None:
        os.sched_setaffinity(0, {cpu})
