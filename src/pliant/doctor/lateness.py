"""A loop that only keeps its deadlines, in a process of its own: what the machine grants it."""

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
    """What the machine grants a control loop.

    Attributes:
        refused: What the system did not grant, one message each.
        late_p50: Median of how late ticks began, s.
        late_p99: What one in a hundred exceeded, s.
        late_max: The latest, s.
    """

    refused: tuple[str, ...]
    late_p50: float
    late_p99: float
    late_max: float


def measure_lateness(dt: float, seconds: float) -> RealTime:
    """Keep deadlines for a while in another process, as a controller would."""
    command = [sys.executable, "-m", "pliant.doctor.lateness", repr(dt), repr(seconds)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    values = json.loads(printed)
    return RealTime(**values | {"refused": tuple(values["refused"])})


def _keep_deadlines(dt: float, seconds: float) -> RealTime:
    refused = prepare()
    clock, rows = RealTimeClock(dt), new_rows(0, 2)
    late = np.empty(max(10, round(seconds / dt)))
    for k in range(len(late)):
        clock.wait(rows[:1], rows[1:])
        late[k] = rows["lateness"][1]
        rows[0] = rows[1]
    # the first ticks are those of a process that has just begun
    late = late[len(late) // 10 :]
    p50, p99 = np.percentile(late, (50.0, 99.0))
    return RealTime(
        refused=tuple(refused),
        late_p50=float(p50),
        late_p99=float(p99),
        late_max=float(late.max()),
    )


if __name__ == "__main__":
    found = _keep_deadlines(float(sys.argv[1]), float(sys.argv[2]))
    print(json.dumps(found.__dict__))
