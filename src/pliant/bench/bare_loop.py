"""A loop that does nothing but sleep: what the machine itself does to a deadline.

Run as a program it prints how late it woke, one line of nanoseconds:
`python -m pliant.bench.bare_loop <rate> <seconds>`. With a third argument it prints the processor
time that it took instead, s: `idle`, or with `physics` while it steps a simulated arm that holds.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

from pliant.controller.real_time import prepare
from pliant.numerics.kernels import direct
from pliant.robots.sim import SimRobot
from pliant.tick import new_rows


def last_cpu() -> int | None:
    """Where loops stay whose lateness is compared, as far as the system lets one choose.

    On the first CPU a system often does work of its own, and which loop came to run there would
    decide which is later.
    """
    return max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None


def lateness_ns(rate: float, seconds: float, work: Callable[[], object] | None = None) -> list[int]:
    """How late each tick of a bare loop began, ns; each does some work, or none."""
    period = round(1e9 / rate)
    late = [0] * round(seconds * rate)
    deadline = time.monotonic_ns() + period
    for i in range(len(late)):
        ahead = deadline - time.monotonic_ns()
        if ahead > 0:
            time.sleep(ahead * 1e-9)
        late[i] = max(0, time.monotonic_ns() - deadline)
        deadline += period * (1 + late[i] // period)
        if work is not None:
            work()
    return late


def cpu_seconds(rate: float, seconds: float, physics: bool) -> float:
    """Processor time of a bare loop that does nothing, or that steps a simulated arm, s."""
    robot = SimRobot(rate=rate)
    tick = new_rows(robot.n)
    robot.read(tick)
    step, own = partial(robot.read, tick), robot.native
    if own is not None:
        # as a controller does
        step = partial(direct(type(own).read, own, tick), own, tick)
    before = time.process_time()
    lateness_ns(rate, seconds, step if physics else None)
    return time.process_time() - before


def run_bare(rate: float, seconds: float, *more: str) -> str:
    """What a bare loop in a process of its own prints."""
    command = [sys.executable, "-m", "pliant.bench.bare_loop", str(rate), str(seconds), *more]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    # the same set-up as the controller's, so that only what the controller does differs
    prepare(None if sys.argv[3:] else last_cpu())
    if sys.argv[3:]:
        print(cpu_seconds(float(sys.argv[1]), float(sys.argv[2]), sys.argv[3] == "physics"))
    else:
        print(*lateness_ns(float(sys.argv[1]), float(sys.argv[2])))
