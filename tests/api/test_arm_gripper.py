"""`arm.gripper`: refused without one, and what a program sees of one that does as it likes."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant import Arm, GripperFailed, Refused, WaitTimeout
from pliant.arms.gripper_state import GripperState
from pliant.recording.recomputation import recompute
from pliant.robots.gripper import Gripper
from pliant.tick import Rows

LASTS = 20
"""Ticks of each command."""


class Stub(Gripper):
    """Every command takes some ticks and ends as asked."""

    def __init__(self) -> None:
        self.state, self.ends = GripperState.READY, GripperState.READY
        self.asked: list[tuple] = []
        self._left = 0

    def _begin(self, *asked) -> int:
        self.asked.append(asked)
        self.state, self._left = GripperState.MOVING, LASTS
        return len(self.asked)

    def home(self) -> int:
        return self._begin("home")

    def move(self, width: float, speed: float) -> int:
        return self._begin("move", width, speed)

    def grasp(self, width: float, force: float, speed: float, inner: float, outer: float) -> int:
        return self._begin("grasp", width, force, speed, inner, outer)

    def stop(self) -> int:
        return self._begin("stop")

    def write(self, tick: Rows) -> None:
        self._left -= 1
        if self._left == 0:
            self.state = self.ends
        tick["gripper_state"], tick["gripper_seq"] = self.state, len(self.asked)
        tick["gripper_width"], tick["gripper_max_width"] = 0.04, 0.08
        tick["gripper_grasped"] = 1

    def close(self) -> None:
        pass


@pytest.fixture
def arm() -> Iterator[Arm]:
    with Arm("sim:ur5e", flight=False) as arm:
        yield arm


@pytest.fixture
def stub(arm: Arm, monkeypatch: pytest.MonkeyPatch) -> Stub:
    stub, read = Stub(), arm.robot.read

    def both(tick: Rows) -> None:
        read(tick)
        stub.write(tick)

    monkeypatch.setattr(arm.robot, "gripper", stub)
    monkeypatch.setattr(arm.robot, "read", both)
    return stub


def test_a_simulated_arm_has_none(arm: Arm) -> None:
    arm.wait(0.01)
    assert arm.gripper.state == GripperState.NONE
    assert np.isnan(arm.gripper.width) and np.isnan(arm.gripper.max_width)
    for call in (
        arm.gripper.home,
        lambda: arm.gripper.move(0.04),
        lambda: arm.gripper.grasp(0.04),
        arm.gripper.stop,
    ):
        with pytest.raises(Refused, match="this arm has no gripper: a simulated one has none"):
            call()
    assert "NONE" in repr(arm.gripper)


def test_a_call_waits_for_its_command(arm: Arm, stub: Stub) -> None:
    assert arm.gripper.home()
    before = arm.tick.k
    assert arm.gripper.move(0.05, speed=0.1)
    assert LASTS <= arm.tick.k - before <= LASTS + 2
    assert arm.gripper.grasp(0.03, force=30.0)
    arm.gripper.stop()
    assert stub.asked == [
        ("home",),
        ("move", 0.05, 0.1),
        ("grasp", 0.03, 30.0, 0.05, 0.005, 0.005),
        ("stop",),
    ]
    assert arm.gripper.width == 0.04 and arm.gripper.max_width == 0.08
    assert arm.gripper.is_grasped


def test_a_call_need_not_wait(arm: Arm, stub: Stub) -> None:
    before = arm.tick.k
    assert arm.gripper.move(0.05, wait=False)
    assert arm.tick.k == before
    arm.wait(2 * arm.dt)
    assert arm.gripper.state == GripperState.MOVING
    assert arm.gripper.wait_done()
    assert arm.gripper.state == GripperState.READY


def test_how_a_command_ended_is_told(arm: Arm, stub: Stub) -> None:
    stub.ends = GripperState.MISSED
    assert not arm.gripper.grasp(0.03)
    stub.ends = GripperState.FAILED
    with pytest.raises(GripperFailed, match="refused or failed"):
        arm.gripper.move(0.05)
    stub.ends = GripperState.LOST
    with pytest.raises(GripperFailed, match="the connection to it is lost"):
        arm.gripper.home()
    stub.ends = GripperState.MOVING
    with pytest.raises(WaitTimeout, match=r"the gripper still moves after 0\.5 s"):
        arm.gripper.home(timeout=0.5)


@pytest.mark.parametrize(
    ("call", "form"),
    [
        (lambda arm: arm.gripper.move(-1.0), r"arm\.gripper\.move\(width, speed=0\.05"),
        (lambda arm: arm.gripper.grasp(0.03, force=0.0), r"arm\.gripper\.grasp\(width, force=20"),
    ],
)
def test_what_cannot_be_is_refused_with_the_form(arm: Arm, call, form: str) -> None:
    with pytest.raises(Refused, match=form):
        call(arm)


def test_a_recording_with_a_gripper_recomputes(arm: Arm, stub: Stub, tmp_path: Path) -> None:
    file = tmp_path / "run.mcap"
    with pliant.record(arm, file):
        arm.activate("position")
        arm.move_by([0, 0, 0.01, 0, 0, 0], wait=False)
        assert arm.gripper.move(0.05)
        arm.wait(0.2)
    recording = pliant.load(file)
    assert recording["gripper_seq"].max() == 1
    assert recompute(recording).difference is None
