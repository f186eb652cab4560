"""Faults while the tool of a virtual FR3 slides along a table: sentence, peak force, recovery.

The arm waits for its client, so that a busy machine changes nothing; its own time counts. The long
tests run the same in real time. A killed controller is in test_franka_real_time.py, an arm of
another version in test_franka_words.py.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from pliant import commands as c
from pliant.arms.franka_status import FrankaStatus
from pliant.arms.gripper_state import GripperState
from pliant.loop.loop import Loop
from pliant.stages.supervisor import read_text
from tests.robots.sliding_controller import FRANKA_REAL, sliding_controller
from tests.virtual_arms import VirtualArm, virtual_arm

from .franka_loops import WITH_HAND, connected, in_fault, recovered, run, sliding, status, until

pytestmark = pytest.mark.alone

MOST_FORCE = 15.0
"""Largest contact force of a run, N; 5 N are asked for."""

LONGEST = 0.25
"""From the end of torque control to rest, s."""


@pytest.fixture
def arm() -> Iterator[VirtualArm]:
    with virtual_arm("fr3/table", "--clock", "lockstep") as arm:
        yield arm


@pytest.fixture
def loop(arm: VirtualArm) -> Iterator[Loop]:
    # lost commands must be a fault of the arm, and not of a machine that is late
    with connected(arm, WITH_HAND) as (loop, _):
        run(loop, 0.05)
        sliding(loop)
        yield loop


def at_rest(arm: VirtualArm, loop: Loop, what: str) -> None:
    """The arm came to rest soon, without pressing harder."""
    run(loop, 0.5)
    truth = arm.truth()
    rest = truth["moved_at"] - truth["ended_at"]
    print(f"{what}: peak {truth['peak']:.1f} N, rest after {1e3 * rest:.0f} ms")
    assert np.abs(truth["dq"]).max() < 1e-3
    assert truth["peak"] < MOST_FORCE
    assert rest < LONGEST


def comes_back(loop: Loop) -> None:
    """After a reset the tool is lifted."""
    recovered(loop)
    run(loop, 0.1)
    loop.take(c.Activate(law="cartesian_impedance"))
    loop.step()
    before = loop.row["X_WT"][0, 2]
    loop.take(c.MoveBy(delta=(0.0, 0.0, 0.03, 0.0, 0.0, 0.0)))
    until(loop, lambda: loop.row["X_WT"][0, 2] > before + 0.015)
    assert not in_fault(loop)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("reflex cartesian_reflex", FrankaStatus.CARTESIAN_REFLEX),
        ("deaf 50", FrankaStatus.COMMUNICATION),
    ],
    ids=["reflex", "50 ms late"],
)
def test_what_stops_the_arm(arm: VirtualArm, loop: Loop, line: str, expected: FrankaStatus) -> None:
    assert arm.say(line) == "ok"
    until(loop, lambda: in_fault(loop))
    assert status(loop) == expected
    assert expected.text in read_text(loop.row)
    # commands that are lost are not used up by an arm that no longer listens
    assert arm.say("deaf 0") == "ok"
    at_rest(arm, loop, line)
    comes_back(loop)


def hand_is_off(loop: Loop) -> bool:
    return loop.row["gripper_state"].item() == GripperState.LOST


@pytest.mark.parametrize(
    ("line", "over"),
    [("deaf 5", None), ("late 0.05", None), ("hand off", hand_is_off)],
    ids=["5 ms late", "5 % lost", "hand lost"],
)
def test_what_the_arm_goes_on_with(
    arm: VirtualArm, loop: Loop, line: str, over: Callable[[Loop], bool] | None
) -> None:
    assert arm.say(line) == "ok"
    run(loop, 1.0)
    if over is not None:
        until(loop, lambda: over(loop), 60.0)
    truth = arm.truth()
    print(f"{line}: peak {truth['peak']:.1f} N")
    assert not in_fault(loop), read_text(loop.row)
    assert truth["mode"] == "move" and truth["reflexes"] == {}
    assert truth["peak"] < MOST_FORCE
    # it still presses
    assert loop.row["w_T"][0, 2] == pytest.approx(-5.0, abs=1.5)


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("reflex cartesian_reflex", FrankaStatus.CARTESIAN_REFLEX),
        ("deaf 50", FrankaStatus.COMMUNICATION),
    ],
)
def test_what_stops_the_arm_in_real_time(
    control, folder, line: str, expected: FrankaStatus
) -> None:
    with sliding_controller(control, folder, FRANKA_REAL) as (arm, process):
        assert arm.say(line) == "ok"
        status, said, _ = process.end()
        truth = arm.truth()
        while truth["time"] < truth["ended_at"] + 0.5:
            truth = arm.truth()
    rest = truth["moved_at"] - truth["ended_at"]
    print(f"{line}: peak {truth['peak']:.1f} N, rest after {1e3 * rest:.0f} ms; {said[-1]}")
    assert status != 0 and expected.text in said[-1]
    assert truth["peak"] < MOST_FORCE
    assert rest < LONGEST


@pytest.mark.long
@pytest.mark.parametrize("line", ["deaf 5", "late 0.05", "hand off"])
def test_what_the_arm_goes_on_with_in_real_time(control, folder, line: str) -> None:
    with sliding_controller(control, folder, FRANKA_REAL) as (arm, process):
        before = arm.truth()["time"]
        assert arm.say(line) == "ok"
        while (truth := arm.truth())["time"] < before + 3.0:
            assert truth["mode"] == "move"
        process.say("STOP")
        _, said, _ = process.end()
    print(f"{line}: peak {truth['peak']:.1f} N; {said}")
    assert truth["reflexes"] == {}
    assert truth["peak"] < MOST_FORCE
    assert any("is lost" in text for text in said) == (line == "hand off")
