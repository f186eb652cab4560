"""A motion is taught over the wire by a hand that is like a person's, and played back."""

from pathlib import Path

import numpy as np
import pytest

from pliant import Arm
from pliant.reasons import State
from pliant.tasks.playback import playback
from pliant.tasks.teach import teach
from tests.virtual_arms import VirtualArm, with_virtual_arm

pytestmark = pytest.mark.alone

FAST = {"safety": {"tool_speed": 2.0}}
LASTS = 3.5
"""How long the hand teaches, s."""


def teach_and_play(arm: VirtualArm, file: Path) -> None:
    file.unlink(missing_ok=True)
    with Arm(f"franka:{arm.host}", clock="real", config=FAST, motions=[file.parent]) as robot:
        robot.wait(0.1)
        start, before = robot.time, robot.pose
        todo = [(0.3, "lead 0 0.15 0.08 2"), (3.0, "let go")]

        def over(tick) -> bool:
            while todo and tick.time > start + todo[0][0]:
                assert arm.say(todo.pop(0)[1]) == "ok"
            return tick.time > start + LASTS

        teach(robot, file, over)
        taught = robot.history.since(start)
        moved = robot.tick.X_WT[:3] - before[:3]
        result = playback(robot, file)
        assert robot.gripper.home()
        assert not robot.gripper.grasp(0.03)
        assert robot.gripper.move(0.05, speed=0.1)
        assert robot.gripper.width == pytest.approx(0.05, abs=1e-3)
        assert robot.state is State.INACTIVE, robot.reason
    print(moved, result)
    # the hand leads against the friction of the joints
    assert np.linalg.norm(moved - [0.0, 0.15, 0.08]) < 0.05
    assert np.ptp(taught["X_WT"][:, :3], axis=0).max() > 0.1
    assert max(result.rms_mrad) < 5.0
    assert result.clipped == 0
    assert arm.truth()["reflexes"] == {}


def test_a_motion_is_taught_by_hand_and_played_back(tmp_path: Path) -> None:
    with_virtual_arm(lambda arm: teach_and_play(arm, tmp_path / "taught.csv"), "fr3")
