"""What makes a process keep its deadlines, as far as the system permits it."""

import atexit
import ctypes
import gc
import os
from time import monotonic_ns, sleep

from pliant.kernels import Direct, Row, kernel
from pliant.runtime.clock import clock_kernel
from pliant.runtime.huge_pages import use_huge_pages
from pliant.tick import Rows, Tick

_MCL_CURRENT_AND_FUTURE = 3
_PR_SET_TIMERSLACK = 29
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
        self._kernel = Direct(real_clock_kernel)

    def wait(self, prev: Rows, tick: Rows) -> None:
        """Sleep until the next deadline and write the clock's columns."""
        now, deadline = monotonic_ns(), self._deadline
        if deadline == 0:
            self._woke, deadline = now, now + self._period
        if now < deadline:
            # the system itself counts a sleep from now as one until an instant
            sleep((deadline - now) * 1e-9)
        busy, self._woke = now - self._woke, monotonic_ns()
        late = self._woke - deadline
        ahead = self._kernel.call(prev, tick, self._dt, self._period, late, busy)
        self._deadline = deadline + ahead


@kernel
def real_clock_kernel(
    prev: Row[Tick], tick: Row[Tick], dt: float, period: int, late: int, busy: int
) -> int:
    """All clock columns of one tick from times in ns; how far ahead the next deadline is."""
    late = max(0, late)
    clock_kernel(prev, tick, dt, late * 1e-9, busy * 1e-9)
    return period * (1 + late // period)


def prepare(cpu: int | None = None) -> list[str]:
    """Ask the system for what real time needs; one message for each thing it does not grant.

    Collects garbage once and then never again: the loop makes none that matters, and a collection
    in mid-tick takes longer than the tick.

    Args:
        cpu: The CPU to stay on; any if None.
    """
    messages = []
    for what, ask in (
        ("real-time priority", _ask_priority),
        ("locked memory", _lock_memory),
        ("exact timers", _ask_exact_timers),
        (f"CPU {cpu}", lambda: _stay_on(cpu)),
    ):
        try:
            ask()
        except (OSError, AttributeError) as error:
            reason = getattr(error, "strerror", None) or error
            messages.append(f"no {what}: {reason}; ticks may be late")
    gc.collect()
    gc.freeze()
    # what is frozen is never let go of, and compiled libraries complain of it at the end
    atexit.register(gc.unfreeze)
    gc.disable()
    use_huge_pages()
    return messages


def _ask_priority() -> None:
    # what this process starts must not inherit it: a busy child would take a CPU for itself
    policy = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
    os.sched_setscheduler(0, policy, os.sched_param(_PRIORITY))


def _lock_memory() -> None:
    _call_libc("mlockall", _MCL_CURRENT_AND_FUTURE)


def _ask_exact_timers() -> None:
    """Without real-time priority the system may ring a timer 50 µs late to save power."""
    _call_libc("prctl", _PR_SET_TIMERSLACK, 1, 0, 0, 0)


def _stay_on(cpu: int | None) -> None:
    if cpu is not None:
        os.sched_setaffinity(0, {cpu})


def _call_libc(name: str, *arguments: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*(ctypes.c_ulong(value) for value in arguments)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
