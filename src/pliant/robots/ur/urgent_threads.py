"""Gives the threads of a library real-time priority.

A command of ur_rtde that waits for its answer waits for the thread that receives it. On a busy
machine an ordinary thread may get no processor for a tenth of a second, in which the arm's watchdog
ends the program: at the start, when the watchdog is set, or at the end, when the arm is stopped.
"""

import contextlib
import os
from collections.abc import Iterator

_PRIORITY = 75
"""Below that of controllers, which wait for these threads."""


@contextlib.contextmanager
def urgent_threads() -> Iterator[None]:
    """Make the threads that begin meanwhile urgent, where that is permitted."""
    before = _threads()
    yield
    for thread in _threads() - before:
        # refused without permission, as it is to the controller, which says so; or it has ended
        with contextlib.suppress(OSError):
            os.sched_setscheduler(thread, os.SCHED_FIFO, os.sched_param(_PRIORITY))


def _threads() -> set[int]:
    return {int(name) for name in os.listdir("/proc/self/task")}
