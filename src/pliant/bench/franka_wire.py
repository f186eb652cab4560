"""A controller of a virtual FR3 over the wire, beside a loop with pylibfranka alone.

Both run at the same time, each with an arm of its own, so that other load on the machine affects
both. The arm itself measures how soon its state is answered by torques.
"""

import time
from dataclasses import dataclass

import numpy as np

from pliant.bench.figure import Figure
from pliant.bench.rig import Rig, controller_of
from pliant.bench.wire_rig import (
    bare,
    is_installed,
    microseconds,
    new_ticks,
    ticks,
    truth,
    two_hosts,
    virtual,
)
from pliant.errors import PliantError
from pliant.processes import Child
from pliant.virtual.franka.desired_motion import PERIOD

ANSWER_BOUND = 1.5

_TURN = 1.0
_SETTLE = 1.0
_LAW = "cartesian_impedance"
_ANSWER = "from a state of an FR3 to the torques that answer it"


@dataclass(frozen=True, kw_only=True)
class FrankaRun:
    """What was measured; of turns of a second, medians.

    Attributes:
        ticks: Number of ticks.
        missed: States that were not the begin of a tick.
        p50: Median time from a state to the torques that answer it, s.
        p99: Its 99th percentile, s.
        bare_p50: The same of the loop with pylibfranka alone.
        bare_p99: Its 99th percentile, s.
    """

    ticks: int
    missed: int
    p50: float
    p99: float
    bare_p50: float
    bare_p99: float


def measure_franka(turns: int) -> dict[str, Figure]:
    """Measure for some turns of a second; nothing if pylibfranka is not installed."""
    if not is_installed("pylibfranka"):
        return {}
    run = run_franka(turns)
    relative = "relative to a loop with pylibfranka alone"
    return {
        "franka_answer_p50": microseconds(run.p50, f"{_ANSWER}, median"),
        "franka_answer_p99": microseconds(run.p99, f"{_ANSWER}, 99th percentile"),
        "franka_p50": Figure(
            value=run.p50 / run.bare_p50,
            unit="×",
            meaning=f"{_ANSWER}, median, {relative}",
            bound=ANSWER_BOUND,
        ),
        "franka_p99": Figure(
            value=run.p99 / run.bare_p99,
            unit="×",
            meaning=f"{_ANSWER}, 99th percentile, {relative}",
            bound=ANSWER_BOUND,
        ),
        "franka_missed": Figure(
            value=float(run.missed),
            unit="states",
            meaning=f"of an FR3 that began no tick, of {run.ticks}",
        ),
    }


def run_franka(turns: int, clock: str = "real") -> FrankaRun:
    """Run a controller and a bare loop side by side.

    Args:
        turns: How many turns of a second.
        clock: The clock of the virtual arms, `real` or `lockstep`.

    Raises:
        PliantError: One of them did not start, or was stopped.
    """
    ours, theirs = two_hosts()
    with (
        virtual("virtual_fr3", "fr3", ours, clock) as arm,
        virtual("virtual_fr3", "fr3", theirs, clock) as other,
        bare("pylibfranka_loop", theirs),
        controller_of(f"franka:{ours}") as rig,
    ):
        return _measured(arm, other, rig, turns)


def _measured(arm: Child, other: Child, rig: Rig, turns: int) -> FrankaRun:
    rig.send(f"ACTIVATE {_LAW}")
    rig.receive()
    time.sleep(_SETTLE)
    new_ticks(rig)
    for one in (arm, other):
        truth(one)
    late: list[float] = []
    answers = []
    for _ in range(turns):
        late += ticks(rig, _TURN)
        both = [truth(one) for one in (arm, other)]
        if any(told["mode"] != "move" for told in both):
            raise PliantError("an arm was stopped, because this machine is too busy")
        answers.append([told[name] for told in both for name in ("answer_p50", "answer_p99")])
    p50, p99, bare_p50, bare_p99 = np.nanmedian(answers, axis=0).tolist()
    return FrankaRun(
        ticks=len(late),
        missed=round(sum(late) / PERIOD),
        p50=p50,
        p99=p99,
        bare_p50=bare_p50,
        bare_p99=bare_p99,
    )
