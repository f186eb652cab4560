"""Minimum jerk: the closed form, its limits, and new targets during a motion."""

from math import inf, radians

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pliant import Arm
from pliant.stages.joints.trajectory import detour, jerk_position, jerk_velocity, plan_time

WIDE = (-inf, inf, inf, inf)


def sampled(x0: float, v0: float, xf: float, T: float, count: int = 501) -> np.ndarray:
    return np.array([jerk_position(x0, v0, xf, T, t) for t in np.linspace(0.0, T, count)])


def closed_form(x0: float, v0: float, xf: float, T: float, t: np.ndarray) -> np.ndarray:
    """The example of the reference page."""
    s, D, d = np.minimum(t / T, 1.0), xf - x0, v0 * T
    return x0 + d * s + (10 * D - 6 * d) * s**3 - (15 * D - 8 * d) * s**4 + (6 * D - 3 * d) * s**5


@given(
    st.floats(-3, 3), st.floats(-2, 2), st.floats(-3, 3), st.floats(0.05, 10), st.floats(0.0, 1.0)
)
def test_position_and_velocity_are_the_closed_form(
    x0: float, v0: float, xf: float, T: float, share: float
) -> None:
    t = share * T
    expected = closed_form(x0, v0, xf, T, np.array([t]))[0]
    assert jerk_position(x0, v0, xf, T, t) == pytest.approx(expected, abs=1e-9)
    h = 1e-6 * T
    t = min(max(t, h), T - h)
    slope = (jerk_position(x0, v0, xf, T, t + h) - jerk_position(x0, v0, xf, T, t - h)) / (2 * h)
    assert jerk_velocity(x0, v0, xf, T, t) == pytest.approx(slope, rel=1e-5, abs=1e-5)


def test_sixty_degrees_at_twenty_degrees_a_second() -> None:
    arm = Arm("sim:ur5e")
    joint = arm.joints[0]
    joint.mode = "position"
    joint.speed = radians(20.0)
    start = float(arm.tick.q_sent[0])
    arm.wait(arm.dt)
    began = arm.time
    joint.position_move(start + radians(60.0))
    arm.joints.wait_done(0)
    assert arm.time - began == pytest.approx(3.0, abs=1.5 * arm.dt)
    ticks = arm.history.since(began)
    t = ticks["time"] - began
    expected = closed_form(start, 0.0, start + radians(60.0), 3.0, t)
    np.testing.assert_allclose(ticks["q_board"][:, 0], expected, atol=1e-9)
    np.testing.assert_allclose(ticks["q_sent"][:, 0], expected, atol=1e-6)
    assert np.degrees(ticks["qd_board"][:, 0].max()) == pytest.approx(37.5, abs=1e-3)
    arm.wait(0.3)
    assert joint.position == pytest.approx(start + radians(60.0), abs=1e-4)


@settings(max_examples=150)
@given(
    st.floats(-1.5, 1.5),
    st.floats(-1.9, 1.9),
    st.floats(-2, 2),
    st.floats(0.01, 2.0),
    st.floats(2.0, 30.0),
)
def test_a_planned_trajectory_keeps_to_its_limits(
    x0: float, v0: float, xf: float, speed: float, qdd_max: float
) -> None:
    q_min, q_max, qd_max = -2.0, 2.0, 2.0
    T = plan_time(x0, v0, xf, speed, q_min, q_max, qd_max, qdd_max)
    if T < 1e-3:
        return
    assert abs(xf - x0) / speed - 1e-12 <= T
    x = sampled(x0, v0, xf, T)
    v = np.array([jerk_velocity(x0, v0, xf, T, t) for t in np.linspace(0.0, T, 501)])
    assert q_min - 1e-9 <= x.min()
    assert x.max() <= q_max + 1e-9
    assert np.abs(v).max() <= qd_max * (1 + 1e-6)
    # differences lag behind the peak by a little
    assert np.abs(np.diff(v)).max() / (T / 500) <= qdd_max * 1.001


@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(0.1, 5.0))
def test_the_detour_is_the_extreme_position(v0: float, xf: float, T: float) -> None:
    x = sampled(0.0, v0, xf, T)
    places = (0.0, xf, detour(0.0, v0, xf, T))
    assert x.min() == pytest.approx(min(places), abs=1e-3)
    assert x.max() == pytest.approx(max(places), abs=1e-3)
    assert min(places) - 1e-12 <= x.min()
    assert x.max() <= max(places) + 1e-12


def test_from_rest_limits_only_stretch_the_trajectory() -> None:
    assert plan_time(0.0, 0.0, 1.0, 0.5, *WIDE) == pytest.approx(2.0)
    assert plan_time(0.0, 0.0, 1.0, 0.5, -2.0, 2.0, 0.5, inf) == pytest.approx(3.75)
    assert plan_time(0.0, 0.0, 1.0, 0.5, -2.0, 2.0, inf, 1.0) == pytest.approx(2.4028, abs=1e-4)


def moving_arm(*, near_limit: bool = False) -> tuple[Arm, float]:
    """An arm whose third wrist joint is moving, and its target."""
    arm = Arm("sim:ur5e")
    joint = arm.joints[5]
    joint.mode = "position"
    joint.speed = 1.0
    limit = float(arm.joints.limits.q_max[5])
    if near_limit:
        joint.position_move(limit - 1.0)
        arm.joints.wait_done(5)
        joint.position_move(limit)
        return arm, limit
    goal = joint.position + 1.0
    joint.position_move(goal)
    return arm, goal


@pytest.mark.parametrize("after", [0.1, 0.3, 0.5, 0.7, 0.9, 0.98])
@pytest.mark.parametrize("back", [-2.0, -0.5, -0.01, 0.0])
@pytest.mark.parametrize("near_limit", [False, True])
def test_a_new_target_during_a_motion(after: float, back: float, near_limit: bool) -> None:
    arm, goal = moving_arm(near_limit=near_limit)
    began = arm.time
    arm.wait(after)
    arm.joints[5].speed = 2.0
    target = goal + back
    arm.joints[5].position_move(target)
    arm.joints.wait_done(5)
    ticks = arm.history.since(began + 2 * arm.dt)
    limits = arm.joints.limits
    q, qd = ticks["q_board"][:, 5], ticks["qd_board"][:, 5]
    assert q[-1] == pytest.approx(target, abs=1e-9)
    assert q.max() <= limits.q_max[5] + 1e-9
    assert np.abs(qd).max() <= limits.qd_max[5] + 1e-9
    assert np.abs(np.diff(qd)).max() <= limits.qdd_max[5] * arm.dt * (1 + 1e-6)
    steps = np.diff(q) / arm.dt
    assert np.abs(np.diff(steps)).max() <= limits.qdd_max[5] * arm.dt * (1 + 1e-6)
    np.testing.assert_allclose(ticks["q_sent"][:, 5], q, atol=1e-9)
