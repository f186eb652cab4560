"""The guardian program: watches one controller. It imports a backend only if that can stop the arm.

It runs in a session of its own, so that Ctrl-C reaches only the controller, and ignores the signals
that end programs: it ends with its controller.
"""

import contextlib
import os
import signal
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from pliant.controller.guardian import Guardian, Stops
from pliant.controller.real_time import GUARDIAN_PRIORITY, prepare
from pliant.controller.tick_silence import (
    LOOKS,
    RealSilence,
    SimulatedSilence,
    threads_of,
    visit_cpus,
)
from pliant.errors import PliantError
from pliant.processes import Parent
from pliant.ring.guardian_page import GuardianPage

_OOM_SCORE = "-900"
"""The system ends other processes first when memory runs out, where that may be asked for."""


def main(options: dict[str, Any], parent: Parent) -> None:
    """Prepare the backend's own stop, wait for the ring, and watch.

    Args:
        options: `robot` and `config` of a backend that can stop the arm, else nothing.
        parent: The controller.

    Raises:
        PliantError: The backend cannot prepare its stop, or the ring cannot be mapped.
    """
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    stopper = _stopper(options)
    ring = parent.options()
    if ring is None:
        return
    pid, limit = ring["pid"], ring["limit"]
    try:
        controller, page = os.pidfd_open(pid), GuardianPage(Path(ring["memory"]))
    except OSError as error:
        raise PliantError(f"the ring cannot be mapped: {error}") from None
    counted = SimulatedSilence(partial(threads_of, pid), limit / LOOKS, visit_cpus)
    silence = counted if ring["simulated"] else RealSilence()
    _prepare(ring["cpu"])
    guardian = Guardian(page, controller, limit, silence, stopper)
    parent.ready()
    if why := guardian.watch():
        _say(why)


def _stopper(options: dict[str, Any]) -> Stops | None:
    if not options:
        return None
    # here, because a backend needs more than a guardian does
    from pliant.config import config_of_run
    from pliant.robots.registry import open_stopper

    return open_stopper(options["robot"], config_of_run(options["config"]))


def _prepare(cpu: int | None) -> None:
    """Ask for what lets it look in time; the controller says what the system refuses."""
    prepare(priority=GUARDIAN_PRIORITY)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_OOM_SCORE)
    others = os.sched_getaffinity(0) - {cpu}
    if others:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, others)


def _say(why: str) -> None:
    # standard error may be closed, or a pipe that nobody reads
    with contextlib.suppress(OSError):
        stamp = time.strftime("%H:%M:%S")
        print(f"pliant guardian, {stamp}: {why}", file=sys.stderr, flush=True)
