"""The Franka Hand of a virtual FR3: moves, grasps, is stopped, is lost, and never costs the arm."""

from collections.abc import Iterator

import numpy as np
import pytest

from pliant import commands as c
from pliant.arms.gripper_state import GripperState
from pliant.errors import Refused
from pliant.loop.gripping import grip
from pliant.loop.history import History
from pliant.loop.loop import Loop
from tests.virtual_arms import VirtualArm, virtual_arm

from .franka_loops import WITH_HAND, activate, connected, in_fault, run, until

pytestmark = pytest.mark.alone

Running = tuple[Loop, History]


@pytest.fixture(scope="module")
def shared() -> Iterator[VirtualArm]:
    with virtual_arm("fr3", "--clock", "lockstep") as arm:
        yield arm


@pytest.fixture
def loop(shared: VirtualArm) -> Iterator[Loop]:
    with connected(shared, WITH_HAND) as (loop, _):
        run(loop, 0.05)
        yield loop


def state(loop: Loop) -> GripperState:
    return GripperState(loop.row["gripper_state"].item())


def width(loop: Loop) -> float:
    return loop.row["gripper_width"].item()


def does(loop: Loop, command: c.GripperCommand) -> GripperState:
    """Give a command and wait for its end; how it ended."""
    number = grip(loop.robot, command).value
    until(loop, lambda: loop.row["gripper_seq"].item() == number, 0.1)
    until(loop, lambda: state(loop) != GripperState.MOVING, 60.0)
    run(loop, 0.1)
    return state(loop)


def test_it_moves_and_grasps(shared: VirtualArm, loop: Loop) -> None:
    activate(loop, "cartesian_impedance")
    assert does(loop, c.HomeGripper()) == GripperState.READY
    assert loop.row["gripper_max_width"].item() == pytest.approx(0.08)
    assert does(loop, c.MoveGripper(width=0.05)) == GripperState.READY
    assert width(loop) == pytest.approx(0.05, abs=1e-3)
    assert does(loop, c.Grasp(width=0.03)) == GripperState.MISSED
    assert does(loop, c.MoveGripper(width=0.06, speed=0.1)) == GripperState.READY
    shared.say("object 0.03")
    assert does(loop, c.Grasp(width=0.031)) == GripperState.READY
    assert loop.row["gripper_grasped"].item() == 1
    assert width(loop) == pytest.approx(0.03, abs=1e-3)
    assert does(loop, c.StopGripper()) == GripperState.STOPPED
    assert loop.row["gripper_grasped"].item() == 0
    shared.say("object none")
    assert does(loop, c.MoveGripper(width=0.5)) == GripperState.FAILED
    assert not in_fault(loop)


def test_it_is_stopped_while_it_moves(loop: Loop) -> None:
    does(loop, c.MoveGripper(width=0.08))
    grip(loop.robot, c.MoveGripper(width=0.0, speed=0.01))
    until(loop, lambda: width(loop) < 0.07)
    with pytest.raises(Refused, match="the hand moves: wait, or stop it first"):
        grip(loop.robot, c.MoveGripper(width=0.08))
    assert does(loop, c.StopGripper()) == GripperState.STOPPED
    stopped = width(loop)
    assert stopped > 0.01
    run(loop, 0.2)
    assert width(loop) == pytest.approx(stopped, abs=1e-4)
    assert does(loop, c.MoveGripper(width=0.08, speed=0.1)) == GripperState.READY


def test_a_lost_hand_is_a_sentence_and_no_lost_arm(shared: VirtualArm) -> None:
    with connected(shared, WITH_HAND) as (loop, history):
        said: list[str] = []
        loop.tell = said.append
        activate(loop, "cartesian_impedance")
        assert shared.say("hand off") == "ok"
        until(loop, lambda: state(loop) == GripperState.LOST, 60.0)
        assert np.isnan(width(loop))
        (text,) = said
        assert "the hand at" in text and "is lost" in text
        with pytest.raises(Refused, match=r"not connected.*ask again in a moment"):
            grip(loop.robot, c.HomeGripper())
        assert shared.say("hand on") == "ok"
        run(loop, 1.0)
        for _ in range(200):
            try:
                grip(loop.robot, c.MoveGripper(width=0.05))
                break
            except Refused:
                run(loop, 0.1)
        until(loop, lambda: state(loop) == GripperState.READY, 60.0)
        assert "connected again" in said[-1]
        assert not in_fault(loop)
        assert history["lateness"][1:].max() < 0.02


def test_an_arm_without_a_hand(shared: VirtualArm) -> None:
    assert shared.say("hand off") == "ok"
    with connected(shared, WITH_HAND) as (loop, _):
        run(loop, 0.05)
        assert state(loop) == GripperState.NONE
        with pytest.raises(Refused, match=r"is not connected: none answers"):
            grip(loop.robot, c.HomeGripper())
    assert shared.say("hand on") == "ok"
    with (
        connected(shared) as (loop, _),
        pytest.raises(Refused, match="this arm has no gripper"),
    ):
        grip(loop.robot, c.HomeGripper())
