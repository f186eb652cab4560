"""A controller of a virtual FR3 over the wire, beside a loop with pylibfranka alone.

They take turns on the same arm, some seconds each, because both at once, with two arms, would wait
for each other on a machine with few cores. The arm itself measures how soon its state is answered.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pliant.bench.figure import Figure
from pliant.bench.rig import controller_of
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
from pliant.virtual.franka.desired_motion import PERIOD

ANSWER_BOUND = 1.5

Answers = tuple[float, float]

_TURN = 1.0
_BLOCK = 5
"""Turns until the other one is started."""

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
    """Let a controller and a bare loop take turns.

    Args:
        turns: How many turns of a second each has.
        clock: The clock of the virtual arm, `real` or `lockstep`.

    Raises:
        PliantError: One of them did not start, or was stopped.
    """
    host = own_host(2)
    late: list[float] = []
    ours: list[Answers] = []
    theirs: list[Answers] = []
    with virtual("virtual_fr3", "fr3", host, clock) as arm:
        while len(ours) < turns:
            block = min(_BLOCK, turns - len(ours))
            with bare("pylibfranka_loop", host):
                theirs += _answers(arm, block, lambda: time.sleep(_TURN))
            with controller_of(f"franka:{host}") as rig:
                rig.send(f"ACTIVATE {_LAW}")
                rig.receive()
                new_ticks(rig)
                ours += _answers(arm, block, lambda rig=rig: late.extend(ticks(rig, _TURN)))
    p50, p99 = np.nanmedian(ours, axis=0).tolist()
    bare_p50, bare_p99 = np.nanmedian(theirs, axis=0).tolist()
    return FrankaRun(
        ticks=len(late),
        missed=round(sum(late) / PERIOD),
        p50=p50,
        p99=p99,
        bare_p50=bare_p50,
        bare_p99=bare_p99,
    )


def _answers(arm: Child, turns: int, turn: Callable[[], None]) -> list[Answers]:
    """Median and 99th percentile of the time to an answer, of each turn."""
    turn()
    truth(arm)
    found = []
    for _ in range(turns):
        turn()
        told = truth(arm)
        if told["mode"] != "move":
            raise PliantError("the arm was stopped, because this machine is too busy")
        found.append((told["answer_p50"], told["answer_p99"]))
    return found
