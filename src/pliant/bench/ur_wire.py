"""A controller of a virtual UR over the wire, beside a loop with ur_rtde alone.

Both run at the same time, each with an arm of its own, so that other load on the machine affects
both. The arm itself measures how soon its package is answered by a command, and counts the packages
that it could not send.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from pliant.bench.figure import Figure
from pliant.bench.rig import Rig, controller_of, cpu_seconds
from pliant.bench.wire_rig import (
    bare,
    is_installed,
    microseconds,
    new_ticks,
    own_host,
    ticks,
    truth,
    virtual,
)
from pliant.errors import PliantError
from pliant.processes import Child
from pliant.virtual.ur.ur_arm import PERIOD

CPU_BOUND = 2.0

_WINDOW = 1.0
_SETTLE = 1.0
_ANSWER = "from a package of a UR to the command that answers it"


@dataclass(frozen=True, kw_only=True)
class WireRun:
    """What was measured.

    Attributes:
        ticks: Number of ticks.
        missed: Packages that were not the begin of a tick, though the arm sent them.
        unsent: Packages that the arm could not send.
        cpu: Processor time of the controller for a command, to that of a loop with ur_rtde, which a
            busy machine lets send fewer; median over windows.
        answer_p50: Median time from a package to the command that answers it, s; of windows of a
            second, the median.
        answer_p99: Its 99th percentile likewise, s.
        ended: Why the controller ended before its time; empty if it did not.
    """

    ticks: int
    missed: int
    unsent: int
    cpu: float
    answer_p50: float
    answer_p99: float
    ended: str


def measure_ur(seconds: float) -> dict[str, Figure]:
    """Measure for some time; nothing if ur_rtde is not installed."""
    if not is_installed("rtde_control"):
        return {}
    run = run_wire(seconds)
    if run.ended:
        raise PliantError(run.ended)
    return {
        "ur_cpu": Figure(
            value=run.cpu,
            unit="×",
            meaning="processor time of a controller of a UR for a command, to that of a loop with "
            "ur_rtde alone",
            bound=CPU_BOUND,
        ),
        "ur_answer_p50": microseconds(run.answer_p50, f"{_ANSWER}, median"),
        "ur_answer_p99": microseconds(run.answer_p99, f"{_ANSWER}, 99th percentile"),
        "ur_missed": Figure(
            value=float(run.missed),
            unit="packages",
            meaning=f"of a UR that were sent and began no tick, of {run.ticks}",
        ),
    }


def run_wire(seconds: float, clock: str = "real") -> WireRun:
    """Run a controller and a bare loop side by side.

    Args:
        seconds: How long.
        clock: The clock of the virtual arms, `real` or `lockstep`.

    Raises:
        PliantError: One of them did not start, or was stopped at once.
    """
    ours, theirs = own_host(0), own_host(1)
    with (
        virtual("virtual_ur", "ur5e", ours, clock) as arm,
        virtual("virtual_ur", "ur5e", theirs, clock) as other,
        bare("ur_rtde_loop", theirs) as loop,
        controller_of(f"ur:{ours}") as rig,
    ):
        return _measured(arm, rig, _Cost(other, lambda: cpu_seconds(loop.pid)), seconds)


class _Cost:
    """Processor time of a client for each of its commands."""

    def __init__(self, arm: Child, cpu: Callable[[], float]) -> None:
        self._arm, self._cpu = arm, cpu
        self._commands, self._used = 0, 0.0

    def since(self, known: dict[str, Any] | None = None) -> float:
        """The processor time of a command since this was last asked, s."""
        known = known or truth(self._arm)
        commands, used = known["inputs"] - self._commands, self._cpu() - self._used
        self._commands, self._used = self._commands + commands, self._used + used
        return used / max(commands, 1)


def _measured(arm: Child, rig: Rig, other: _Cost, seconds: float) -> WireRun:
    time.sleep(_SETTLE)
    late, ratios, answers, ended = [], [], [], ""
    new_ticks(rig)
    now = before = truth(arm)
    own = _Cost(arm, rig.cpu_seconds)
    own.since(before)
    other.since()
    while now["time"] < before["time"] + seconds:
        try:
            late += ticks(rig, _WINDOW)
        except PliantError as error:
            ended = str(error)
            break
        now = truth(arm)
        ratios.append(own.since(now) / max(other.since(), 1e-9))
        answers.append((now["answer_p50"], now["answer_p99"]))
    if not ratios:
        raise PliantError(ended)
    unsent = now["unsent"] - before["unsent"]
    missed = round(sum(late) / PERIOD)
    p50, p99 = np.nanmedian(answers, axis=0)
    return WireRun(
        ticks=len(late),
        missed=max(0, missed - unsent),
        unsent=unsent,
        cpu=median(ratios),
        answer_p50=float(p50),
        answer_p99=float(p99),
        ended=ended,
    )
