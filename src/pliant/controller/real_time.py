"""Asks the system for what a process needs to keep its deadlines."""

import atexit
import ctypes
import gc
import os

_MCL_CURRENT, _MCL_FUTURE, _MCL_ONFAULT = 1, 2, 4
_PR_SET_TIMERSLACK = 29
CONTROLLER_PRIORITY = 80
GUARDIAN_PRIORITY = 82
"""Above the controller's: a law that never returns may hold every CPU that there is."""


def prepare(
    cpu: int | None = None, priority: int = CONTROLLER_PRIORITY, *, whole: bool = True
) -> list[str]:
    """Ask for what real time needs; returns one message for each thing the system refuses.

    Garbage is collected no more: the loop makes almost none, and a collection would take longer
    than a tick.

    Args:
        cpu: The CPU to stay on; any if None.
        priority: The real-time priority.
        whole: Whether to load and lock all libraries to their last page, which takes a tenth of a
            second; else what has been used, and the rest when it is.
    """
    messages = []
    for what, ask in (
        ("real-time priority", lambda: _ask_priority(priority)),
        ("locked memory", lambda: _lock_memory(whole)),
        ("exact timers", _ask_exact_timers),
        (f"CPU {cpu}", lambda: _stay_on(cpu)),
    ):
        try:
            ask()
        except (OSError, AttributeError) as error:
            reason = getattr(error, "strerror", None) or error
            messages.append(f"no {what}: {reason}; ticks may be late")
    gc.freeze()
    # frozen objects are never freed, and compiled libraries complain about that at exit
    atexit.register(gc.unfreeze)
    gc.disable()
    return messages


def _ask_priority(priority: int) -> None:
    # children must not inherit it: a busy one would take a CPU for itself
    policy = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
    os.sched_setscheduler(0, policy, os.sched_param(priority))


def _lock_memory(whole: bool) -> None:
    _call_libc("mlockall", _MCL_CURRENT | _MCL_FUTURE | (0 if whole else _MCL_ONFAULT))


def _ask_exact_timers() -> None:
    """Without real-time priority the system may fire a timer 50 µs late to save power."""
    _call_libc("prctl", _PR_SET_TIMERSLACK, 1, 0, 0, 0)


def _stay_on(cpu: int | None) -> None:
    if cpu is not None:
        os.sched_setaffinity(0, {cpu})


def _call_libc(name: str, *arguments: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*(ctypes.c_ulong(value) for value in arguments)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
