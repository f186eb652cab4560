"""Forces and positions in contact, measured by the physics engine, not by the sensor."""

import numpy as np
import pytest

from pliant.numerics.spatial import pose_error, unrotate_pair

TOUCH = 0.3
"""Contact force from which the tool touches, N."""


def press(arm, seconds=4.0):
    """True contact force from 2 s after the touch on."""
    arm.wait_until(lambda tick: tick.true_f_peak > TOUCH)
    arm.wait(2.0 + seconds)
    return np.linalg.norm(arm.history["true_f_fixture_W"][-round(seconds / arm.dt) :], axis=1)


@pytest.mark.parametrize("seed", range(4))
def test_presses_on_a_table_with_five_newton(make_arm, seed):
    rng = np.random.default_rng(seed)
    arm = make_arm("table", seed=seed, stiffness=1e4)
    # another place above the table, with the tool rotated about the vertical and tilted
    place = np.array([*rng.uniform(-0.08, 0.08, 2), 0.0])
    arm.move_by([*place, *rng.uniform(-0.05, 0.05, 2), rng.uniform(-1.0, 1.0)], wait=False)
    arm.wait_until(lambda tick: bool(tick.ref_done))
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    force = press(arm)
    assert abs(force.mean() - 5.0) < 0.3
    assert np.abs(force - 5.0).max() < 0.3
    assert np.ptp(force) < 0.5
    assert arm.history["true_f_peak"].max() < 7.0


@pytest.mark.parametrize("seed", range(2))
def test_presses_on_a_wall_with_a_wrench_in_the_world(make_arm, seed):
    arm = make_arm("wall", seed=seed, stiffness=1e4)
    arm.set_axes("z")
    # the wall stands along x of the world, and pushes the tool back along -x
    arm.set_wrench([-5, 0, 0, 0, 0, 0], frame="world")
    force = press(arm)
    assert np.abs(force - 5.0).max() < 0.3
    assert np.ptp(force) < 0.5


def test_a_stiff_table_needs_its_preset(make_arm):
    arm = make_arm("table", stiffness=1e5, config={"contact": {"observe_oscillation": False}})
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    assert np.ptp(press(arm, 1.0)) > 5.0, "by default it rings"
    arm = make_arm("table", stiffness=1e5)
    arm.use_preset("stiff_surface")
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    force = press(arm)
    assert np.abs(force - 5.0).max() < 0.3
    assert np.ptp(force) < 0.5
    assert arm.history["true_f_peak"].max() < 15.0


@pytest.mark.parametrize("pose", range(4))
def test_rigid_axes_hold_while_others_yield(make_arm, pose):
    """Beyond the deflection J·k⁻¹·Jᵀ·w of the joint servos under the push itself."""
    arm = make_arm(pose=20 + pose, seed=pose)
    rng = np.random.default_rng(pose)
    yielding = rng.permutation(6)[:3]
    arm.law.set(stiffness=(500.0, 20.0), damping_ratio=(0.7, 0.7))
    arm.set_axes([i in yielding for i in range(6)])
    arm.wait(0.02)
    X_WR = arm.tick.X_WT_cmd.copy()
    push = np.array([10.0, -8.0, 9.0, 0.6, -0.5, 0.4]) * rng.choice([-1.0, 1.0], 6)
    arm.hand.schedule(push, axes="T")
    arm.wait(4.0)
    rows = arm.history.since(arm.time - 3.8)
    rigid = [i for i in range(6) if i not in yielding]
    compliance = 1.0 / arm.simulation.world.servo_stiffness
    worst, moved = np.zeros(6), np.zeros(6)
    for row in rows:
        off, sag_W, sag_T = np.empty(6), np.empty(6), np.empty(6)
        pose_error(row["X_WT"], X_WR, off)
        w_W = np.concatenate([rotated(row["X_WT"], push[:3]), rotated(row["X_WT"], push[3:])])
        sag_W = row["J_W"] @ (compliance * (row["J_W"].T @ w_W))
        unrotate_pair(row["X_WT"][3:], sag_W, sag_T)
        moved = np.maximum(moved, np.abs(off))
        worst = np.maximum(worst, np.abs(off + sag_T))
    # the compliant axes are in equilibrium with their springs
    assert moved[yielding].min() > 5e-3
    translation = [i for i in rigid if i < 3]
    assert worst[translation].max(initial=0.0) < 1e-4
    # 0.1 mm at the tool's length of 0.16 m
    assert worst[[i for i in rigid if i >= 3]].max(initial=0.0) < 6e-4


def rotated(X_WT: np.ndarray, v_T: np.ndarray) -> np.ndarray:
    """A vector of the tool in the world."""
    w, r = X_WT[3], X_WT[4:]
    return v_T + 2.0 * np.cross(r, np.cross(r, v_T) + w * v_T)


@pytest.mark.parametrize("seed", range(2))
def test_does_not_drift_in_free_space(make_arm, seed):
    arm = make_arm(pose=30 + seed, seed=seed, history=1.0)
    arm.set_axes("x y z rx ry rz")
    X_WT0 = arm.tick.X_WT.copy()
    arm.wait(60.0)
    way = np.empty(6)
    pose_error(X_WT0, arm.tick.X_WT, way)
    assert np.linalg.norm(way[:3]) < 1e-4
    # at the length of the tool
    assert np.linalg.norm(way[3:]) * 0.16 < 1e-4


@pytest.mark.parametrize("frame", ["tool", "world"])
def test_a_wrench_in_the_world_keeps_its_direction_while_the_tool_turns(make_arm, frame):
    arm = make_arm(lag=False, quiet=True)
    arm.set_axes("x y z")
    arm.set_wrench([3, 0, 0, 0, 0, 0], frame=frame)
    arm.wait(0.2)
    before = rotated(arm.tick.X_WT, arm.tick.w_desired_T[:3])
    arm.move_by([0, 0, 0, 0, 0, 0.6], frame="world", wait=False)
    arm.wait(2.0)
    after = rotated(arm.tick.X_WT, arm.tick.w_desired_T[:3])
    turned = np.arccos(np.dot(before, after) / 9.0)
    assert turned == pytest.approx(0.0 if frame == "world" else 0.6, abs=1e-3)
    # without a wrench on the tool it moves in the opposite direction
    v_W = rotated(arm.tick.X_WT_cmd, arm.tick.v_cmd_T[:3])
    np.testing.assert_allclose(v_W, -after / 800.0, atol=1e-5)


def test_another_frame_keeps_the_wrench(make_arm):
    arm = make_arm("wall")
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    press(arm, 0.5)
    X_WT = arm.tick.X_WT
    same = rotated(X_WT, np.array([0.0, 0.0, -5.0]))
    arm.set_wrench([*same, 0, 0, 0], frame="world")
    arm.wait(1.0)
    rows = arm.history.since(arm.time - 1.0)
    np.testing.assert_allclose(rows["w_desired_T"][:, 2], -5.0, atol=1e-3)
    force = np.linalg.norm(rows["true_f_fixture_W"], axis=1)
    assert np.abs(force - 5.0).max() < 0.3
