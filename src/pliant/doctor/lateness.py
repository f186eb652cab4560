"""Measures how late the machine wakes an idle control loop, in a separate process."""

import json
import subprocess
import sys
from dataclasses import dataclass

import numpy as np

from pliant.controller.real_time import prepare
from pliant.loop.real_time_clock import RealTimeClock
from pliant.tick import new_rows


@dataclass(frozen=True, kw_only=True)
class RealTime:
    """Real-time behaviour of the machine.

    Attributes:
        refused: Real-time permissions that the system refused, one message each.
        late_p50: Median lateness of a tick, s.
        late_p99: 99th percentile of the lateness, s.
        late_max: Largest lateness, s.
    """

    refused: tuple[str, ...]
    late_p50: float
    late_p99: float
    late_max: float


def measure_lateness(dt: float, seconds: float) -> RealTime:
    """Run an idle loop in a separate process, prepared like a controller, and measure it."""
    command = [sys.executable, "-m", "pliant.doctor.lateness", repr(dt), repr(seconds)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    values = json.loads(printed)
    return RealTime(**values | {"refused": tuple(values["refused"])})


def _run_idle_loop(dt: float, seconds: float) -> RealTime:
    refused = prepare()
    clock, rows = RealTimeClock(dt), new_rows(0, 2)
    late = np.empty(max(10, round(seconds / dt)))
    for k in range(len(late)):
        clock.wait(rows[:1], rows[1:])
        late[k] = rows["lateness"][1]
        rows[0] = rows[1]
    # leave out the first ticks, which are late because the process has just started
    late = late[len(late) // 10 :]
    p50, p99 = np.percentile(late, (50.0, 99.0))
    return RealTime(
        refused=tuple(refused),
        late_p50=float(p50),
        late_p99=float(p99),
        late_max=float(late.max()),
    )


if __name__ == "__main__":
    measured = _run_idle_loop(float(sys.argv[1]), float(sys.argv[2]))
    print(json.dumps(measured.__dict__))
