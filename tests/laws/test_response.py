"""The arm under the law responds as the configured mass, spring and damper."""

import numpy as np
import pytest

from pliant.numerics.spatial import pose_error

AXES = ("x", "y", "z", "rx", "ry", "rz")
# Stiffness and inertia of an axis, translation and rotation, and a push that moves it by about
# 20 mm or 0.1 rad.
K = np.array([500.0] * 3 + [20.0] * 3)
M = np.array([10.0] * 3 + [0.25] * 3)
PUSH = np.array([8.0] * 3 + [1.5] * 3)
# 20 time constants of the critically damped springs above, s.
SETTLED = 3.0


def moved(X_WT0: np.ndarray, X_WT: np.ndarray) -> np.ndarray:
    """The displacement from a first pose to each of the others, in the axes of the first."""
    ways = np.empty((len(X_WT), 6))
    for way, pose in zip(ways, X_WT, strict=True):
        pose_error(X_WT0, pose, way)
    return ways


def analytic(t: np.ndarray, m: float, d: float, k: float, f: float) -> np.ndarray:
    """x(t) of m·a + d·v + k·x = f from rest at 0."""
    if k == 0.0:
        tau = m / d
        return f / d * (t - tau * (1.0 - np.exp(-t / tau)))
    roots = np.roots([m, d, k])
    if np.isclose(roots[0], roots[1]):
        return f / k * (1.0 - (1.0 - roots[0].real * t) * np.exp(roots[0].real * t))
    a, b = roots
    homogeneous = (b * np.exp(a * t) - a * np.exp(b * t)) / (a - b)
    return f / k * (1.0 + homogeneous.real)


@pytest.mark.parametrize("pose", range(3))
@pytest.mark.parametrize("axis", range(6))
def test_a_constant_wrench_gives_force_over_stiffness(make_arm, axis, pose):
    # with all defaults: lag, noise, bias, drift, low-pass and dead band
    arm = make_arm(pose=pose, seed=pose)
    arm.law.set(stiffness=K, damping=(0.0, 0.0), damping_ratio=(1.0, 1.0), gain_ramp=0.0)
    arm.set_axes(AXES[axis])
    arm.wait(0.01)
    X_WT0 = arm.tick.X_WT.copy()
    wrench = np.zeros(6)
    wrench[axis] = PUSH[axis] * (1 if pose % 2 else -1)
    arm.hand.schedule(wrench, axes="T")
    arm.wait(SETTLED + 0.5)
    way = moved(X_WT0, arm.history["X_WT"][-250:]).mean(axis=0)
    assert way[axis] == pytest.approx(wrench[axis] / K[axis], rel=0.02)


@pytest.mark.parametrize(
    ("name", "stiffness", "ratio"),
    [("underdamped", 1.0, 0.3), ("critical", 1.0, 1.0), ("overdamped", 1.0, 3.0), ("free", 0.0, 0)],
)
@pytest.mark.parametrize("axis", range(6))
def test_step_response_is_the_analytic_one(make_arm, axis, name, stiffness, ratio):
    """Without lag, the measured pose is within 2 % of the peak."""
    k = stiffness * K
    d = 2.0 * ratio * np.sqrt(M * K) if stiffness else np.array([100.0] * 3 + [5.0] * 3)
    f = PUSH if stiffness else np.array([4.0] * 3 + [0.4] * 3)
    limits = {"max_speed": (1.0, 5.0), "max_acceleration": (5.0, 50.0)}
    gains = {"stiffness": tuple(k), "damping": tuple(d), "inertia": tuple(M), **limits}
    arm = make_arm(
        pose=10 + axis,
        lag=False,
        quiet=True,
        config={"laws": {"hybrid_admittance": gains}},
    )
    arm.set_axes(AXES[axis])
    arm.wait(0.01)
    X_WT0 = arm.tick.X_WT.copy()
    wrench = np.zeros(6)
    wrench[axis] = f[axis]
    start = arm.time + arm.dt
    arm.hand.schedule(wrench, axes="T", start=start)
    arm.wait(2.0)
    since = arm.history["time"] - start
    shown = since >= 0.0
    way = moved(X_WT0, arm.history["X_WT"][shown])
    expected = analytic(since[shown], M[axis], d[axis], k[axis], f[axis])
    assert np.abs(way[:, axis] - expected).max() < 0.02 * np.abs(expected).max()
    assert not arm.history["law_limited"][shown].any()
