"""A servo that gives all its torque is a fault: the arm leans on what the sensor does not feel."""

import numpy as np
import pytest

from pliant import Arm, Pose, Refused
from pliant.errors import ArmStopped
from pliant.reasons import Reason
from pliant.stages.joints import JointFault

SHOULDER = 1
FOLDED = (0.0, -0.9, -2.0, -1.5, 0.0, 0.0)
"""Upper arm before the wall, forearm and tool folded back from it."""

FELT = 20.0
"""What the force sensor feels at most while the upper arm hits the wall, N: the tool's inertia."""


def before_wall(scene: str = "wall") -> Arm:
    """A UR5e whose upper arm is 0.2 rad before a wall, if there is one."""
    distance = {"x": 0.4, "stiffness": 1e5} if scene == "wall" else {}
    sim = {"q_start": FOLDED, "scene": {"kind": scene, **distance}}
    arm = Arm(f"sim:ur5e/{scene}", config={"sim": sim, "wrench": {"zero_time": 0.05}}, seed=1)
    arm.zero()
    return arm


def lean(arm: Arm) -> np.ndarray:
    """Move the shoulder to where the wall is, and return what was felt by all ticks, N."""
    arm.joints.set_modes("position")
    arm.wait(2 * arm.dt)
    start = arm.time
    arm.joints[SHOULDER].speed = 0.4
    arm.joints[SHOULDER].position_move(0.0)
    arm.wait(3.0)
    return np.linalg.norm(arm.history.since(start)["w_T_raw"][:, :3], axis=1)


def test_an_arm_that_leans_on_a_wall_is_in_fault_although_the_sensor_feels_nothing() -> None:
    arm = before_wall()
    felt = lean(arm)
    rows = arm.history.since(0.0)
    most = arm.simulation.description.tau_max[SHOULDER]
    all_of_it = np.flatnonzero(np.abs(rows["tau"][:, SHOULDER]) >= most * (1.0 - 1e-6))
    faults = np.flatnonzero(rows["fault"][:, SHOULDER] == JointFault.OVER_TORQUE)
    wait = (faults[0] - all_of_it[0]) * arm.dt
    assert wait == pytest.approx(arm.config.joints.fault_time, abs=2 * arm.dt)
    assert np.linalg.norm(rows["true_f_fixture_W"][faults[0]]) > 200.0
    assert felt.max() < FELT
    assert arm.tick.q_sent[SHOULDER] < -0.6


def test_it_does_not_go_on_leaning_with_all_its_torque() -> None:
    arm = before_wall()
    lean(arm)
    assert np.linalg.norm(arm.tick.true_f_fixture_W) < 280.0
    assert abs(arm.tick.tau[SHOULDER]) < 0.75 * arm.simulation.description.tau_max[SHOULDER]
    arm.joints[SHOULDER].force_idle()
    arm.wait(0.1)
    assert arm.tick.fault[SHOULDER] == 0


def test_the_same_motion_without_a_wall_is_no_fault() -> None:
    arm = before_wall("free")
    lean(arm)
    assert arm.tick.fault.max() == 0
    assert arm.tick.q[SHOULDER] == pytest.approx(0.0, abs=0.01)


def test_under_a_law_it_stops_the_arm() -> None:
    arm = before_wall()
    arm.activate("position")
    with pytest.raises(ArmStopped, match="torque"):
        arm.move_by([0.25, 0, -0.1, 0, 0, 0], frame="world", speed=0.1)
    assert arm.tick.reason == Reason.JOINT_FAULT
    assert arm.tick.fault[SHOULDER] == JointFault.OVER_TORQUE


def test_an_arm_that_leans_on_the_table_drives_away_as_the_refusals_say() -> None:
    arm = Arm("sim:ur5e/table", config={"reference": {"max_speed": (0.25, 1.0)}}, seed=1)
    with pytest.raises(ArmStopped, match="too much torque"):
        # the tool points up, and the wrist is where the table is
        arm.move_to(Pose.from_rpy([0.4, 0.1, 0.3], [0, 0, 0]))
    with pytest.raises(Refused, match=r"ask again in a second, .* arm\.reset\(\), arm\.move_by"):
        arm.reset()
    arm.wait(1.0)
    arm.reset()
    with pytest.raises(ArmStopped, match="too much torque"):
        arm.home()
    with pytest.raises(Refused, match=r"arm\.joints\.force_idle\(\) or arm\.reset\(\)"):
        arm.wait(0.1)
        arm.home()
    arm.wait(1.0)
    arm.reset()
    moved = arm.move_by([0, 0, 0.1, 0, 0, 0], speed=0.05)
    assert moved is not None and moved.reached
    assert np.linalg.norm(arm.tick.true_f_fixture_W) == 0.0
    home = arm.home()
    assert home is not None and home.reached
