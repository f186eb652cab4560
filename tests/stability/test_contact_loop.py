"""The closed loop of one axis: servo, statics, matrix and eigenvalues."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pliant.stability import Axis, Gains, Servo, Surface, TipImpedance
from pliant.stability.contact_loop import FREE_SPACE, Plant, State, closed_loop, law_step
from pliant.stability.margin import growth

RIGID = TipImpedance(stiffness=1e9, damping=1e5, inertia=1.0)
UR = TipImpedance(stiffness=1e5, damping=1100.0, inertia=4.5, tool=0.5)


def make(dead=0.0, lag=0.0, arm=RIGID, m=10.0, d=800.0, cutoff=30.0, dt=0.002, **gains) -> Axis:
    return Axis(
        gains=Gains(inertia=m, damping=d, **gains),
        cutoff=cutoff,
        servo=Servo(dead_time=dead, time_constant=lag),
        arm=arm,
        dt=dt,
    )


def follow(plant: Plant, targets: np.ndarray) -> np.ndarray:
    """Position of the servo after each period, given its set points."""
    s = State([0.0] * plant.set_points)
    positions = []
    for target in targets:
        s.sent = [target, *s.sent[:-1]]
        s, _, _ = plant.advance(s)
        positions.append(s.y)
    return np.array(positions)


@settings(max_examples=25)
@given(dead=st.floats(0.0, 0.03), lag=st.floats(0.0, 0.03))
def test_at_constant_speed_the_arm_lags_by_dead_time_plus_time_constant(dead, lag):
    axis = make(dead, lag)
    ramp = 0.01 * axis.dt * np.arange(1, 601)
    behind = ramp - follow(Plant(axis, FREE_SPACE), ramp)
    assert behind[-1] == pytest.approx(0.01 * axis.servo.lag, abs=1e-9)


@pytest.mark.parametrize("dead", [0.0, 0.002, 0.003, 0.0071])
def test_the_servo_starts_after_the_dead_time_and_then_follows(dead):
    axis = make(dead)
    moved = follow(Plant(axis, FREE_SPACE), np.ones(20))
    time = axis.dt * np.arange(1, 21)
    np.testing.assert_allclose(moved, np.clip((time - dead) / axis.dt, 0.0, 1.0), atol=1e-9)


def test_a_lag_approaches_a_step_exponentially():
    axis = make(lag=0.026)
    moved = follow(Plant(axis, FREE_SPACE), np.ones(40))
    # the step itself is a ramp of one period
    left = 1.0 - moved
    np.testing.assert_allclose(left[1:] / left[:-1], np.exp(-axis.dt / 0.026), rtol=1e-9)


def test_at_rest_surface_and_arm_are_springs_in_series():
    plant = Plant(make(arm=UR), Surface(stiffness=2e4))
    s = State([1e-3] * plant.set_points)
    for _ in range(400):
        s, sensed, _ = plant.advance(s)
    assert sensed == pytest.approx(-1e-3 / (1.0 / 2e4 + 1.0 / 1e5), rel=1e-4)


def test_a_tip_is_stiffer_only_on_a_stiff_surface():
    held = TipImpedance(stiffness=2e5, damping=2000.0, inertia=6.0)
    arm = TipImpedance(
        stiffness=1e5, damping=1000.0, inertia=4.0, tool=0.5, held=held, lateral_stiffness=8e4
    )
    assert arm.touching(Surface(stiffness=10.0)).stiffness == pytest.approx(1e5, rel=1e-3)
    assert arm.touching(Surface(stiffness=1e9)).stiffness == pytest.approx(2e5, rel=1e-3)
    assert arm.touching(Surface(stiffness=8e4)).stiffness == pytest.approx(2e5 / 1.5, rel=1e-3)
    assert arm.touching(Surface(stiffness=8e4)).tool == 0.5


@settings(max_examples=25)
@given(
    dead=st.floats(0.0, 0.02),
    lag=st.floats(0.0, 0.03),
    k=st.floats(1e3, 1e5),
    mass=st.floats(0.0, 1.0),
)
def test_the_matrix_agrees_with_stepping(dead, lag, k, mass):
    axis = make(dead, lag, arm=UR, p=0.3)
    surface = Surface(stiffness=k, damping=20.0, mass=mass)
    A, b, c = closed_loop(axis, surface)
    plant = Plant(axis, surface)
    s, state = State([0.0] * plant.set_points), np.zeros(len(b))
    for _ in range(30):
        moved, sensed, forces = plant.advance(s)
        assert c @ state == pytest.approx(np.mean(forces), rel=1e-9, abs=1e-12)
        s = law_step(axis, moved, sensed, -5.0)
        state = A @ state - 5.0 * b
        np.testing.assert_allclose(state, s.values()[: len(state)], rtol=1e-9, atol=1e-15)


def test_without_lag_the_growth_rate_is_that_of_the_differential_equation():
    m, d, k = 10.0, 200.0, 4000.0
    axis = make(m=m, d=d, cutoff=1e5, dt=1e-4)
    expected = np.roots([m, d, k]).real.max()
    assert growth(axis, Surface(stiffness=k)) == pytest.approx(expected, rel=0.02)


def test_integral_and_spring_are_part_of_the_loop():
    surface, plain = Surface(stiffness=1e4), make(0.008, 0.026, arm=UR)
    assert growth(make(0.008, 0.026, arm=UR, i=200.0), surface) > growth(plain, surface)
    A, b, c = closed_loop(make(0.008, 0.026, arm=UR, stiffness=1e4), surface)
    rest = c @ np.linalg.solve(np.eye(len(b)) - A, b)
    B, e, f = closed_loop(plain, surface)
    # the law's spring takes part of the force, and about half is left
    assert 0.4 < rest / (f @ np.linalg.solve(np.eye(len(e)) - B, e)) < 0.6


@given(scale=st.floats(0.01, 100.0))
def test_scaling_all_forces_changes_nothing(scale):
    def scaled(f: float) -> tuple[Axis, Surface]:
        arm = TipImpedance(stiffness=1e5 * f, damping=1100.0 * f, inertia=4.5 * f, tool=0.5 * f)
        return make(0.008, 0.026, arm, 10.0 * f, 800.0 * f), Surface(stiffness=1e4 * f)

    assert growth(*scaled(scale)) == pytest.approx(growth(*scaled(1.0)), rel=1e-6)


@pytest.mark.parametrize("load_cutoff", [0.0, 5.0])
def test_a_servo_that_compensates_the_load_reaches_its_set_point(load_cutoff):
    arm = TipImpedance(stiffness=1e5, damping=1100.0, inertia=4.5, load_cutoff=load_cutoff)
    plant = Plant(make(arm=arm), Surface(stiffness=2e4))
    s = State([0.001] * plant.set_points, y=0.001)
    for _ in range(1000):
        s, sensed, _ = plant.advance(s)
    assert s.x == pytest.approx(0.001 if load_cutoff else 0.001 / 1.2, rel=1e-6)
    assert sensed == pytest.approx(-2e4 * s.x, rel=1e-6)


def test_a_torque_servo_follows_a_ramp_without_lag():
    arm = TipImpedance(stiffness=5e4, damping=1000.0, inertia=5.0, load_cutoff=5.0)
    plant = Plant(make(arm=arm, dt=0.001), FREE_SPACE)
    s = State([0.0] * plant.set_points)
    for k in range(1, 501):
        s.sent = [1e-5 * k, *s.sent[:-1]]
        s, _, _ = plant.advance(s)
    assert s.x == pytest.approx(s.sent[0], abs=1e-9)


def test_a_torque_servo_needs_a_virtual_mass_above_the_tool_mass():
    surface = Surface(stiffness=1e3, damping=20.0, mass=1.0)
    for m, unstable in ((0.5, True), (2.0, False)):
        arm = TipImpedance(stiffness=5e4, damping=1000.0, inertia=5.0, tool=0.5, load_cutoff=5.0)
        axis = make(arm=arm, m=m, d=40.0 * m, cutoff=100.0, dt=0.001)
        assert (growth(axis, surface) > 0.0) == unstable
