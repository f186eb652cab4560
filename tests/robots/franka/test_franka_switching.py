"""From every law to every other on a virtual FR3 that moves: its controller never objects."""

from collections.abc import Iterator

import numpy as np
import pytest

from pliant import commands as c
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.stages.supervisor import read_text
from tests.virtual_arms import VirtualArm, virtual_arm

from .franka_loops import PATIENT, activate, connected, in_fault, run

pytestmark = pytest.mark.alone

MOTION = {
    "reference": {
        "circle": {"diameter": 0.1, "period": 4.0, "ramp": 0.3},
        "sinus": {"amplitude": 0.08, "ramp": 1.0},
    }
}
LAWS = {
    "hybrid_admittance": None,
    "position": None,
    "gravity": None,
    "inverse_dynamics": c.FollowHand(),
    "inverse_dynamics_simplified": c.Sinus(),
    "pd_gravity": c.Sinus(),
    "cartesian_impedance": c.Circle(),
    "task_space_inverse_dynamics": c.Circle(),
    "hybrid_force": c.Circle(),
}
"""The laws, and what each follows; None: a jog, or nothing."""

STEP = 1.0
"""Most that a torque may change in a tick, N·m."""


@pytest.fixture(scope="module")
def arm() -> Iterator[VirtualArm]:
    with virtual_arm("fr3", "--clock", "lockstep") as arm:
        yield arm


def move_under(loop: Loop, law: str) -> None:
    activate(loop, law)
    if law in ("hybrid_admittance", "position"):
        loop.take(c.Jog(twist=(0.06, 0.05, 0.04, 0.0, 0.0, 0.2), timeout=0.5))
    elif (command := LAWS[law]) is not None:
        loop.take(command)


def back(loop: Loop, seconds: float) -> None:
    activate(loop, "inverse_dynamics")
    run(loop, 0.2)
    loop.take(c.Home(time=seconds))
    run(loop, seconds)


def judge(arm: VirtualArm, loop: Loop, history: History, pair: tuple[str, str]) -> None:
    assert not in_fault(loop), (pair, read_text(loop.row))
    steps = np.abs(np.diff(history["tau_sent"], axis=0))
    assert steps.max() <= STEP + 1e-9, pair
    assert not history["trip"].any(), pair
    assert arm.truth()["reflexes"] == {}, pair


def switch(arm: VirtualArm, first: str, seconds: float) -> None:
    with connected(arm, PATIENT | MOTION, length=max(3.0, seconds)) as (loop, history):
        run(loop, 0.1)
        loop.take(c.Zero())
        run(loop, 0.4)
        for second in LAWS:
            if second == first:
                continue
            move_under(loop, first)
            run(loop, min(seconds, 5.0))
            move_under(loop, second)
            run(loop, seconds)
            judge(arm, loop, history, (first, second))
            back(loop, 0.8)


@pytest.mark.parametrize("first", LAWS)
def test_from_a_law_to_every_other_while_moving(arm: VirtualArm, first: str) -> None:
    switch(arm, first, 0.15)


@pytest.mark.long
@pytest.mark.parametrize("first", LAWS)
def test_from_a_law_to_every_other_for_a_minute_each(arm: VirtualArm, first: str) -> None:
    switch(arm, first, 60.0)
