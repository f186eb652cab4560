"""Moves wait, tell how they ended, and refuse what the arm cannot reach."""

import numpy as np
import pytest

import pliant
from pliant import Arm, MoveEnded, Refused, WaitTimeout
from pliant.stages.reference import RefKind

FAST = {"reference": {"max_speed": (0.25, 1.0), "max_acceleration": (2.0, 10.0)}}


def ready(spec: str = "sim:ur5e/table", law: str = "position", **config) -> Arm:
    arm = Arm(spec, config=FAST | config, seed=1, flight=False)
    arm.zero()
    arm.activate(law)
    return arm


@pytest.mark.parametrize(
    ("spec", "law"),
    [
        ("sim:ur5e/table", "position"),
        ("sim:ur5e/table", "hybrid_admittance"),
        ("sim:panda/table", "cartesian_impedance"),
        ("sim:panda/table", "task_space_inverse_dynamics"),
    ],
)
def test_a_move_returns_when_the_tool_is_there(spec: str, law: str) -> None:
    arm = ready(spec, law)
    target = arm.tick.X_WT + np.array([0.03, -0.05, 0.02, 0, 0, 0, 0])
    moved = arm.move_to(target)
    assert moved is not None and moved.stopped_by is None
    error = np.linalg.norm(arm.tick.X_WT[:3] - target[:3])
    assert np.linalg.norm(arm.tick.v_WT_W[:3]) < 2e-3
    assert moved.distance == pytest.approx(error, abs=1e-6)
    # friction keeps an arm with a soft law a little away
    soft = law in ("cartesian_impedance", "task_space_inverse_dynamics")
    assert error < (6e-3 if soft else 1e-4)
    turned = arm.pose.distance(target)[1]
    assert moved.reached == (error < 2e-3 and turned < 1e-2)


@pytest.mark.parametrize("stiffness", [(300, 40), (600, 40), (3000, 300)])
def test_reached_is_about_the_tool_and_friction_alone_holds_it_away(stiffness) -> None:
    arm = ready("sim:panda", "cartesian_impedance")
    arm.law.stiffness = stiffness
    arm.wait(0.5)
    target = arm.tick.X_WR + np.array([0.03, -0.05, 0.02, 0, 0, 0, 0])
    moved = arm.move_to(target)
    assert moved is not None
    assert moved.reached == (moved.distance < 2e-3)
    assert moved.reached or stiffness[0] < 1000
    arm.wait(1.0)
    # the law pulls, at rest, with no more than what the friction of each joint can hold
    assert (np.abs(arm.tick.tau_law) <= 1.02 * arm.description.friction).all()


def test_without_friction_a_soft_law_reaches_its_target() -> None:
    arm = ready("sim:panda", "cartesian_impedance", sim={"friction": "off"})
    moved = arm.move_by([0.03, -0.05, 0.02, 0, 0, 0])
    assert moved is not None and moved.reached
    arm.wait(1.0)
    assert arm.pose.distance(arm.tick.X_WR)[0] < 1e-4


@pytest.mark.parametrize("speed", [0.01, 0.001])
def test_a_move_under_a_law_that_is_slow_lasts_until_the_tool_is_there(speed: float) -> None:
    arm = ready(law="hybrid_admittance")
    arm.law.max_speed = (speed, 1.0)
    begun, far = arm.time, 6.0 * speed
    moved = arm.move_by([0, 0, far, 0, 0, 0], speed=0.1)
    assert moved is not None and moved.reached
    # within 2 mm of the target it has arrived
    assert arm.time - begun >= (far - 2e-3) / speed


def test_the_speed_of_a_move_is_a_limit_of_this_move() -> None:
    arm = ready()
    begun = arm.time
    arm.move_by([0, 0.03, 0, 0, 0, 0], speed=0.02)
    took = arm.time - begun
    speed = np.linalg.norm(arm.history["v_WR_W"][:, :3], axis=1)
    assert speed.max() == pytest.approx(0.02, rel=1e-6)
    assert 1.5 < took < 1.8
    arm.move_by([0, 0.1, 0, 0, 0, 0])
    assert np.linalg.norm(arm.history["v_WR_W"][:, :3], axis=1).max() > 0.2
    with pytest.raises(Refused, match=r"beyond reference\.max_speed, 0\.25 m/s"):
        arm.move_by([0, 0.1, 0, 0, 0, 0], speed=0.3)


def test_rotation_is_slowed_in_proportion() -> None:
    arm = ready()
    arm.move_by([0, 0, 0, 0, 0, 0.2], speed=0.05)
    turning = np.linalg.norm(arm.history["v_WR_W"][:, 3:], axis=1).max()
    assert turning == pytest.approx(0.2, rel=1e-3)


def test_a_move_until_a_touch_tells_that_it_was_stopped() -> None:
    arm = ready()
    touch = pliant.force("z") > 5
    moved = arm.move_by([0, 0, -0.08, 0, 0, 0], speed=0.02, until=touch)
    assert moved is not None and not moved.reached and moved.stopped_by is touch
    assert abs(arm.tick.w_T[2]) > 5
    assert arm.tick.reactions_armed == 0
    assert 0.01 < moved.distance < 0.04


def test_a_move_that_is_not_stopped_disarms_its_condition() -> None:
    arm = ready()
    moved = arm.move_by([0, 0, 0.02, 0, 0, 0], until="force>20")
    assert moved is not None and moved.reached
    arm.wait(0.01)
    assert arm.tick.reactions_armed == 0


def test_a_condition_that_holds_already_lets_nothing_move() -> None:
    arm = ready()
    start = arm.tick.X_WR
    moved = arm.move_by([0, 0, 0.02, 0, 0, 0], until=pliant.speed() < 1)
    assert moved is not None and moved.stopped_by is not None
    assert np.abs(arm.tick.X_WR - start).max() < 1e-4


def test_a_move_stopped_by_another_reaction_tells_which() -> None:
    arm = ready()
    arm.on(pliant.force("z") > 5, pliant.Reaction.retract(0.005))
    moved = arm.move_by([0, 0, -0.08, 0, 0, 0], speed=0.02)
    assert moved is not None and str(moved.stopped_by) == "force(z)>5"


def test_in_contact_along_a_compliant_axis_the_reference_counts() -> None:
    arm = ready(law="hybrid_admittance")
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    arm.wait_until(lambda tick: tick.w_T[2] < -4)
    moved = arm.move_by([0.02, 0, -0.05, 0, 0, 0])
    assert moved is not None and moved.reached
    assert moved.distance < 1e-3


def test_a_soft_arm_on_the_table_ends_short_of_its_target() -> None:
    arm = ready("sim:panda/table", "cartesian_impedance")
    moved = arm.move_by([0, 0, -0.07, 0, 0, 0], speed=0.02)
    assert moved is not None and not moved.reached
    assert 5e-3 < moved.distance < 0.03


def test_without_waiting_a_move_is_streamed() -> None:
    arm = ready()
    begun = arm.time
    assert arm.move_by([0, 0.05, 0, 0, 0, 0], wait=False) is None
    assert arm.time == begun


def test_a_move_right_after_a_streamed_one_waits_until_the_tool_is_there() -> None:
    arm = ready()
    start = arm.pose.position
    arm.move_by([0, 0.01, 0, 0, 0, 0], wait=False)
    moved = arm.move_by([0, 0, 0.02, 0, 0, 0])
    assert moved is not None and moved.reached
    np.testing.assert_allclose(arm.pose.position - start, [0, 0.01, 0.02], atol=1e-4)


def test_a_move_that_takes_too_long_holds() -> None:
    arm = ready()
    with pytest.raises(WaitTimeout, match=r"within 0\.5 s; the arm holds"):
        arm.move_by([0, 0.05, 0, 0, 0, 0], speed=0.02, timeout=0.5)
    arm.wait(0.01)
    assert arm.tick.ref_kind == RefKind.HOLD


def test_a_target_out_of_reach_is_refused_with_the_distance() -> None:
    arm = ready()
    start = arm.tick.X_WT
    with pytest.raises(Refused, match=r"no closer than 0\.2\d\d m") as refused:
        arm.move_to([1.1, 0.0, 0.3, *start[3:]])
    assert "at 0.8" in str(refused.value)
    arm.wait(0.2)
    assert np.linalg.norm(arm.tick.X_WT[:3] - start[:3]) < 1e-3


def test_a_move_that_a_limit_holds_back_ends_with_an_event_and_raises() -> None:
    # the check of the reach knows the arm's own limits, not these
    arm = ready("sim:ur5e", safety={"joint_margin": 0.9})
    with pytest.raises(MoveEnded, match=r"the move ended 0\.\d+ m from its target"):
        arm.move_by([-0.3, 0, 0, 0, 0, 0])
    told = [line.text for line in arm.history.lines if line.kind == "event"]
    assert len(told) == 1 and "a joint is at its position limit" in told[0]
    assert arm.tick.ref_kind == RefKind.HOLD
    assert arm.move_by([0.1, 0, 0, 0, 0, 0]).reached  # type: ignore[union-attr]


def test_joints_move_and_wait() -> None:
    arm = Arm("sim:ur5e")
    target = arm.tick.q + np.array([0.2, -0.1, 0.1, 0, 0.1, 0.3])
    usual = arm.joints.speeds()
    moved = arm.joints.move(target, speed=0.4)
    assert moved is not None and moved.reached
    np.testing.assert_allclose(arm.tick.q, target, atol=2e-3)
    peak = np.abs(arm.history["qd_board"]).max()
    assert peak == pytest.approx(0.4, rel=0.02)
    arm.wait(0.01)
    np.testing.assert_array_equal(arm.joints.speeds(), usual)


def test_home_waits_with_a_law_of_the_joints_and_without_one() -> None:
    arm = Arm("sim:panda")
    home = np.array(arm.description.home)
    arm.activate("pd_gravity")
    away = home + np.array([0.2, 0.1, -0.1, 0.2, 0.1, -0.2, 0.1])
    moved = arm.home(away, speed=0.5)
    assert moved is not None
    assert np.abs(arm.tick.q - away).max() < 0.05
    assert np.abs(arm.history["qd_ref"]).max() == pytest.approx(0.5, rel=0.02)
    arm.deactivate()
    arm.wait_until(lambda tick: tick.law < 0, 3.0)
    moved = arm.home()
    assert moved is not None and moved.reached
    np.testing.assert_allclose(arm.tick.q, home, atol=3e-3)


def test_a_move_without_a_law_activates_position_control() -> None:
    arm = Arm("sim:ur5e", flight=False)
    with pytest.raises(Refused, match="out of reach"):
        arm.move_to([0, 0, 0, 1, 0, 0, 0])
    arm.wait(0.1)
    assert arm.law is None
    moved = arm.move_by([0, 0.02, 0, 0, 0, 0])
    assert moved is not None and moved.reached
    assert arm.law == "position"


def test_a_first_move_that_is_refused_leaves_the_arm_as_it_was() -> None:
    arm = Arm("sim:ur5e", flight=False)
    with pytest.raises(Refused, match="outside the workspace"):
        arm.move_by([0, 0, 50, 0, 0, 0])
    assert arm.law is None
    moved = arm.move_by([0, 0, 0.02, 0, 0, 0])
    assert moved is not None and moved.reached


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ([0.1], "give 6 joint positions"),
        ([0, -90, 90, -90, -90, 0], "joint 1 .* is not within .* not in degrees"),
        ([0, float("nan"), 0, 0, 0, 0], "joint 1"),
    ],
)
def test_joints_go_nowhere_that_was_not_said_or_is_beyond_a_limit(target, why) -> None:
    arm = Arm("sim:ur5e", flight=False)
    before = arm.tick.q.copy()
    with pytest.raises(Refused, match=why):
        arm.joints.move(target)
    arm.wait(0.2)
    np.testing.assert_allclose(arm.tick.q, before, atol=1e-3)
