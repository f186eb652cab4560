"""Torque laws: who may run them, and how they end."""

import numpy as np
import pytest

from pliant import Arm
from pliant.errors import ConfigError, Refused
from pliant.laws import TorqueLaw
from pliant.reasons import State
from pliant.stages.joints import JointMode
from pliant.tick import Rows


class Limp(TorqueLaw):
    """A user's torque law."""

    name = "limp"

    def update(self, prev: Rows, tick: Rows) -> None:
        """Ask for nothing."""
        tick["tau_law"] = 0.0


def test_a_position_arm_refuses_torque_laws_and_says_why() -> None:
    arm = Arm("sim:ur5e")
    with pytest.raises(Refused, match=r"accepts only positions; .*hybrid_admittance, position"):
        arm.activate("gravity")
    assert "gravity" not in arm.laws
    assert arm.state is State.INACTIVE


def test_a_users_torque_law_needs_a_torque_arm() -> None:
    with pytest.raises(
        ConfigError, match="law limp commands joint torques, but ur5e accepts only positions"
    ):
        Arm("sim:ur5e", laws=[Limp()])
    arm = Arm("sim:panda", laws=[Limp()])
    arm.activate("limp")
    arm.wait(0.1)
    assert (arm.tick.mode == JointMode.TORQUE).all()
    assert not arm.tick.tau_sent.any()


def test_the_joints_go_into_the_mode_of_the_law() -> None:
    arm = Arm("sim:panda")
    for law, mode in [("gravity", JointMode.TORQUE), ("position", JointMode.POSITION_DIRECT)]:
        arm.activate(law)
        arm.wait(0.01)
        assert (arm.tick.mode == mode).all()
        assert (arm.tick.by_torque == (mode is JointMode.TORQUE)).all()
    arm.deactivate()
    arm.wait(0.1)
    assert (arm.tick.mode == JointMode.IDLE).all()


def test_a_torque_law_ends_when_the_arm_is_at_rest() -> None:
    arm = Arm("sim:panda", config={"sim": {"friction": "off"}})
    arm.activate("gravity")
    arm.hand.schedule([8, 8, 0, 0, 0, 0], start=0.0, duration=0.3)
    arm.wait(0.3)
    assert np.abs(arm.tick.qd).max() > 0.2
    arm.deactivate()
    arm.wait(0.01)
    assert arm.state is State.STOPPING
    assert (arm.tick.mode == JointMode.IDLE).all()
    arm.wait_until(lambda t: t.state == State.INACTIVE, 1.1)
    assert np.linalg.norm(arm.tick.v_WT_W) < 0.01
