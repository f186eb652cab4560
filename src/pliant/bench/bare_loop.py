"""A loop that only sleeps, to measure how late the machine itself wakes it.

As a program it prints the lateness of each tick in nanoseconds, on one line:
`python -m pliant.bench.bare_loop <rate> <seconds>`. With a third argument, `cpu`, it prints its
processor time instead, s.
"""

import os
import subprocess
import sys
import time

from pliant.controller.real_time import prepare


def last_cpu() -> int | None:
    """The CPU for loops whose lateness is compared; None if the system allows no choice.

    The first CPU often does work for the system, which would delay the loop that happens to run
    there.
    """
    return max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None


def lateness_ns(rate: float, seconds: float) -> list[int]:
    """Lateness of each tick of a bare loop, ns."""
    period = round(1e9 / rate)
    late = [0] * round(seconds * rate)
    deadline = time.monotonic_ns() + period
    for i in range(len(late)):
        remaining = deadline - time.monotonic_ns()
        if remaining > 0:
            time.sleep(remaining * 1e-9)
        late[i] = max(0, time.monotonic_ns() - deadline)
        deadline += period * (1 + late[i] // period)
    return late


def cpu_seconds(rate: float, seconds: float) -> float:
    """Processor time of a bare loop, s."""
    before = time.process_time()
    lateness_ns(rate, seconds)
    return time.process_time() - before


def run_bare(rate: float, seconds: float, *more: str) -> str:
    """Run a bare loop in a separate process, and return its output."""
    command = [sys.executable, "-m", "pliant.bench.bare_loop", str(rate), str(seconds), *more]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    # the same set-up as a controller, so that only the work differs
    prepare(None if sys.argv[3:] else last_cpu())
    if sys.argv[3:]:
        print(cpu_seconds(float(sys.argv[1]), float(sys.argv[2])))
    else:
        print(*lateness_ns(float(sys.argv[1]), float(sys.argv[2])))
