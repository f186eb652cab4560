"""The commanded pose stays within its limits under every change, in contact and in motion."""

import numpy as np
import pytest

from pliant.laws import PositionConfig
from pliant.laws.hybrid_admittance import preset
from pliant.numerics.spatial import quat_inverse_multiply, quat_log, quat_rotate

OBLIQUE = np.eye(6)
OBLIQUE[:3, :3] = [[0.6, 0.0, 0.8], [0.0, 1.0, 0.0], [-0.8, 0.0, 0.6]]
# An acceleration is computed from three poses: rounding of 1e-16 m over dt².
ROUNDING = 1e-6


def accelerations(X_WC: np.ndarray, dt: float) -> tuple[np.ndarray, np.ndarray]:
    """Linear and angular acceleration of a sequence of poses, in W, by second differences."""
    linear = np.diff(X_WC[:, :3], 2, axis=0) / dt**2
    turns = np.empty((len(X_WC) - 1, 3))
    between = np.empty(4)
    for turn, old, new in zip(turns, X_WC[:-1], X_WC[1:], strict=True):
        quat_inverse_multiply(old[3:], new[3:], between)
        quat_log(between, turn)
        quat_rotate(old[3:], turn, turn)
    return np.linalg.norm(linear, axis=1), np.linalg.norm(np.diff(turns, axis=0), axis=1) / dt**2


def assert_smooth(arm, since: float, limit: tuple[float, float] = (2.0, 10.0)) -> None:
    """Assert the law's acceleration limit, and that safety clips nothing."""
    rows = arm.history.since(since)
    linear, angular = accelerations(rows["X_WT_cmd"], arm.dt)
    assert linear.max() <= limit[0] + ROUNDING
    assert angular.max() <= limit[1] + ROUNDING
    assert not rows["clipped"].any()
    assert not rows["trip"].any()


def test_both_laws_have_the_asserted_limits():
    for config in (PositionConfig(), preset("default"), preset("stiff_surface")):
        assert config.max_acceleration == (2.0, 10.0)


CHANGES = {
    "no axis": lambda arm: arm.set_axes(""),
    "other axes": lambda arm: arm.set_axes("x y rz"),
    "more axes": lambda arm: arm.set_axes("x y z rx ry rz"),
    "oblique axes": lambda arm: arm.set_axes(OBLIQUE, n_af=3),
    "softer": lambda arm: arm.law.set(damping=(300.0, 10.0), inertia=(5.0, 0.2)),
    "stiffer": lambda arm: arm.law.set(stiffness=(2000.0, 50.0), damping_ratio=(1.0, 1.0)),
    "springs at once": lambda arm: arm.law.set(stiffness=(5000.0, 80.0), gain_ramp=0.0),
    "stiff_surface": lambda arm: arm.use_preset("stiff_surface"),
    "rigid by spring": lambda arm: arm.law.set(rigid_axes="spring", stiffness=(900.0, 40.0)),
    "PID": lambda arm: arm.law.set(
        pid_p=(1.0, 1.0), pid_i=(2.0, 2.0), pid_d=(0.02, 0.02), pid_i_limit=(5.0, 0.5)
    ),
    "world wrench": lambda arm: arm.set_wrench([-1, 1, 8, 0, 0, 0.2], frame="world"),
    "tool wrench": lambda arm: arm.set_wrench([1, 2, -9, 0, 0, 0.2]),
    "slower": lambda arm: arm.law.set(max_speed=(0.005, 0.02)),
    "position": lambda arm: arm.activate("position"),
    "off": lambda arm: arm.deactivate(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changes_in_contact(make_arm, change):
    arm = make_arm("table", stiffness=1e4)
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    arm.wait_until(lambda tick: tick.true_f_peak > 4.0)
    start = arm.time
    arm.wait(0.1)
    CHANGES[change](arm)
    arm.wait(0.6)
    assert_smooth(arm, start)
    # and back
    arm.activate("hybrid_admittance")
    arm.use_preset("default")
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    arm.wait(1.0)
    assert_smooth(arm, start)


@pytest.mark.parametrize("change", CHANGES)
def test_changes_in_motion(make_arm, change):
    arm = make_arm(pose=40)
    arm.set_axes("y rz")
    start = arm.time
    arm.hand.schedule([0, 10, 0, 0, 0, 0.8], axes="T", start=start, duration=1.2)
    arm.move_by([0.05, 0.0, -0.05, 0.2, 0.1, 0.3], frame="tool", wait=False)
    arm.wait(0.3)
    CHANGES[change](arm)
    arm.wait(0.25)
    # during the transient of the change
    arm.activate("hybrid_admittance")
    arm.set_axes("x z ry")
    arm.wait(0.25)
    arm.use_preset("default")
    arm.move_by([-0.05, 0.0, 0.05, 0.0, 0.0, -0.3], wait=False)
    arm.wait(1.0)
    assert_smooth(arm, start)


def test_a_law_switched_back_and_forth(make_arm):
    arm = make_arm("table", stiffness=1e4)
    arm.set_axes("z rx")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    arm.wait_until(lambda tick: tick.true_f_peak > 4.0)
    start = arm.time
    for law in ("position", "hybrid_admittance") * 4:
        arm.activate(law)
        arm.move_by([0.01, 0.0, 0.0, 0.0, 0.0, 0.05], wait=False)
        arm.wait(0.13)
    assert_smooth(arm, start)


def test_random_changes_in_contact(make_arm):
    arm = make_arm("table", stiffness=1e4, seed=3)
    rng = np.random.default_rng(3)
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    arm.wait_until(lambda tick: tick.true_f_peak > 4.0)
    start = arm.time
    for _ in range(60):
        arm.set_axes(rng.integers(0, 2, 6).astype(bool))
        arm.set_wrench(
            [*rng.uniform(-3, 3, 2), rng.uniform(-8, -2), *rng.uniform(-0.2, 0.2, 3)],
            frame="tool",
        )
        arm.law.set(
            stiffness=rng.uniform(0.0, [2000.0] * 3 + [50.0] * 3),
            damping=rng.uniform([500.0] * 3 + [15.0] * 3, [1500.0] * 3 + [30.0] * 3),
        )
        arm.wait(rng.uniform(0.02, 0.3))
    assert_smooth(arm, start)
