"""The stiff servo makes a torque arm follow positions, within its torque rate."""

from typing import Any

import numpy as np
import pytest

from pliant import Arm
from pliant.arms import load_arm
from pliant.reasons import State

QUICK: dict[str, Any] = {
    "reference": {"max_speed": (0.4, 1.5), "max_acceleration": (2.0, 6.0)},
    "laws": {"position": {"max_speed": (0.5, 2.0), "max_acceleration": (4.0, 12.0)}},
}


def sent_before(arm: Arm) -> np.ndarray:
    """Desired joint positions of every tick but the first: those sent one tick earlier."""
    return arm.history["q_sent"][:-1]


@pytest.mark.parametrize("name", ["panda", "fr3"])
@pytest.mark.parametrize(("friction", "most"), [("off", 0.5e-3), ("typical", 5e-3)])
def test_the_arm_is_at_its_set_point(name: str, friction: str, most: float) -> None:
    arm = Arm(f"sim:{name}", config=QUICK | {"sim": {"friction": friction}})
    arm.activate("position")
    arm.move_by([0.1, 0.2, 0.15, 0, 0, 0.5], wait=False)
    arm.wait(1.5)
    assert np.abs(arm.history["qd"]).max() > 0.5
    off = np.abs(arm.history["q"][1:] - sent_before(arm))
    assert off.max() < most


def test_it_compensates_a_push() -> None:
    arm = Arm("sim:panda", config={"sim": {"friction": "off"}})
    start = arm.tick.X_WT[:3]
    for push in np.eye(3):
        arm.hand.schedule([*(20.0 * push), 0, 0, 0], start=arm.time, duration=1.0)
        arm.wait(0.9)
        assert np.linalg.norm(arm.tick.X_WT[:3] - start) < 0.2e-3
        arm.wait(1.0)
    assert np.linalg.norm(arm.tick.X_WT[:3] - start) < 0.05e-3


def test_a_floating_arm_that_moves_is_caught_without_a_jump() -> None:
    arm = Arm("sim:panda", config={"sim": {"friction": "off"}})
    arm.activate("gravity")
    arm.hand.schedule([0, 25, 0, 0, 0, 0], start=0.0, duration=0.3)
    arm.wait(0.3)
    caught = arm.tick.X_WT[:3]
    assert np.linalg.norm(arm.tick.v_WT_W[:3]) > 0.4
    arm.deactivate()
    arm.wait_until(lambda t: t.state == State.INACTIVE, 1.0)
    arm.wait(0.1)
    assert np.linalg.norm(arm.tick.v_WT_W[:3]) < 1e-3
    assert np.linalg.norm(arm.tick.X_WT[:3] - caught) < 0.1
    rate = np.abs(np.diff(arm.history["tau_sent"], axis=0)).max() / arm.dt
    assert rate < 1000.0 + 1e-6


def test_a_pose_law_takes_over_a_floating_arm_that_moves() -> None:
    arm = Arm("sim:panda", config={"sim": {"friction": "off"}})
    arm.activate("gravity")
    arm.hand.schedule([8, 4, 0, 0, 0, 0.2], start=0.0, duration=0.3)
    arm.wait(0.3)
    speed = np.linalg.norm(arm.tick.v_WT_W[:3])
    arm.activate("position")
    arm.wait(2.0)
    v = np.linalg.norm(arm.history["v_WT_W"][-2000:, :3], axis=1)
    assert v.max() < 1.2 * speed
    assert v[-1] < 1e-3
    assert np.abs(arm.tick.qd).max() < 1e-3
    np.testing.assert_allclose(arm.tick.q_sent, arm.tick.q, atol=1e-4)


def test_it_settles_after_a_hard_hit() -> None:
    arm = Arm("sim:panda", config={"sim": {"friction": "off"}, "safety": {"contact_force": 1e3}})
    arm.hand.schedule([100, 150, -100, 0, 0, 0], start=0.0, duration=0.03)
    arm.wait(1.5)
    assert np.abs(arm.history["q"] - arm.history["q_sent"]).max() > 5e-3
    assert np.abs(arm.tick.qd).max() < 1e-3
    np.testing.assert_allclose(arm.tick.q, arm.tick.q_sent, atol=1e-4)


@pytest.mark.parametrize("name", ["panda", "fr3"])
def test_at_full_speed_the_sensor_measures_only_the_inertial_wrench(name: str) -> None:
    arm = Arm(f"sim:{name}", config={"safety": {"tool_speed": 3.0}})
    arm.wait(0.1)
    arm.zero()
    arm.joints.set_modes("position")
    arm.wait(0.2)
    home, limits, began = arm.tick.q, arm.joints.limits, arm.time
    for j in range(7):
        for speed in (np.radians(30.0), limits.qd_max[j]):
            arm.joints[j].speed = speed
            for way in (np.radians(8.0), 0.0, np.radians(8.0), 0.0):
                arm.joints[j].position_move(home[j] + way)
                # before it arrives, so that it must reverse
                arm.wait(0.15)
        arm.wait(0.2)
    rows = arm.history.since(began)
    tool = arm.config.tool
    # its centre of mass moves less than the TCP, and the sensor reads means over a tick
    acceleration = np.linalg.norm(np.diff(rows["v_WT_W"][:, :3], axis=0), axis=1) / arm.dt
    force = np.linalg.norm(rows["w_T_raw"][1:, :3], axis=1)
    assert acceleration.max() > 3.0
    assert force.max() < tool.mass * acceleration.max() + 1.0
    # the arm estimates that nothing touches it
    assert np.abs(rows["tau_ext"]).max() < 0.5
    assert not rows["trip"].any()
    assert not rows["fault"].any()


def test_joints_about_one_axis_do_not_stick_against_each_other() -> None:
    q = np.array(load_arm("panda").home)
    # the axes of joints 0 and 2 are one, and both are heavy
    q[1] = 0.02
    arm = Arm("sim:panda", config={"sim": {"q_start": tuple(q)}, "tool": {"mass": 3.0}})
    arm.wait(0.1)
    arm.joints.set_modes("position")
    arm.joints[0].speed = arm.joints.limits.qd_max[0]
    for way in (0.4, 0.0, 0.4, 0.0):
        arm.joints[0].position_move(way)
        arm.wait(0.6)
    arm.wait(0.4)
    off = np.abs(arm.history["q"][1:] - sent_before(arm))
    assert off.max() < 5e-3
    assert off[-1].max() < 1e-3
