"""The actuator model has the configured delay and lag, and the arm's torque limits."""

from collections.abc import Callable
from dataclasses import replace
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pliant.arms.ur5e import DESCRIPTION as UR5E
from pliant.config import Config
from pliant.robots.sim import SimConfig, SimRobot
from pliant.sim.actuator import ActuatorConfig, drive, new_actuator
from pliant.stability import Servo, servo_of
from pliant.tick import new_rows

Follow = Callable[[SimRobot, np.ndarray], np.ndarray]

T, H = 0.002, 0.001
LAGS = [(0.0, 0.0), (0.01, 0.0), (0.008, 0.026), (0.0, 0.1), (0.1, 0.0), (0.0137, 0.0203)]


def step_response(t: float, dead_time: float, time_constant: float) -> float:
    """Step response at t to a set point that goes from 0 to 1 in the period from 0."""

    def integral(s: float) -> float:
        """Integral of the unit step response: the response to a ramp of slope 1."""
        if s <= 0.0:
            return 0.0
        lag = time_constant
        return s - lag * (1.0 - exp(-s / lag)) if lag > 0.0 else s

    return (integral(t - dead_time) - integral(t - dead_time - T)) / T


@settings(deadline=None, max_examples=30)
@given(
    dead_time=st.floats(0.0, 0.1),
    time_constant=st.one_of(st.just(0.0), st.floats(1e-4, 0.1)),
)
def test_the_response_to_a_step_is_the_closed_form(dead_time: float, time_constant: float) -> None:
    row = new_actuator((dead_time, time_constant), T, H, np.ones(1), np.zeros(1), np.zeros(1))
    row["q_written"] = 1.0
    ctrl = np.zeros(1)
    for k in range(400):
        drive(row, np.zeros(1), np.zeros(1), ctrl)
        expected = step_response((k + 1) * H, dead_time, time_constant)
        assert row["q_s"][0, 0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("dead_time", "time_constant"), LAGS)
def test_the_arm_lags_a_ramp_by_dead_time_plus_time_constant(
    dead_time: float, time_constant: float, ideal: SimConfig, follow: Follow
) -> None:
    lag = ActuatorConfig(dead_time=dead_time, time_constant=time_constant)
    robot = SimRobot(config=ideal.model_copy(update={"actuator": lag}))
    speed = 0.1
    start = robot.description.home
    ramp = start + speed * T * (1.0 + np.arange(800))[:, None]
    rows = follow(robot, ramp)
    # a set point is the position one period after it was written
    behind = (ramp[-2] - rows["q"][-1]) / speed
    np.testing.assert_allclose(behind, dead_time + time_constant, atol=1e-4)


def test_nothing_moves_before_the_dead_time_is_over(ideal: SimConfig, follow: Follow) -> None:
    lag = ActuatorConfig(dead_time=0.03, time_constant=0.004)
    robot = SimRobot(config=ideal.model_copy(update={"actuator": lag}))
    start = robot.description.home
    rows = follow(robot, np.tile(start + 0.001, (40, 1)))
    moved = np.abs(rows["q"] - start).max(axis=1)
    # row k shows the arm k periods after the first set point was written in row 0
    assert moved[15] < 1e-9
    assert moved[17] > 1e-5


def test_without_lag_the_arm_is_at_its_set_point(ideal: SimConfig, follow: Follow) -> None:
    robot = SimRobot(config=ideal)
    time = T * np.arange(500)[:, None]
    wave = robot.description.home + 0.02 * (1.0 - np.cos(2.0 * np.pi * 3.0 * time))
    rows = follow(robot, wave)
    np.testing.assert_allclose(rows["q"][1:], wave[:-1], atol=1e-5)


def test_the_arm_does_not_sag(follow: Follow) -> None:
    robot = SimRobot()
    home = robot.description.home
    rows = follow(robot, np.tile(home, (500, 1)))
    np.testing.assert_allclose(rows["q"][-1], home, atol=1e-9)


def test_torque_is_limited_and_the_arm_arrives_nevertheless(
    ideal: SimConfig, follow: Follow
) -> None:
    robot = SimRobot(config=ideal)
    target = robot.description.home + 0.2
    rows = follow(robot, np.tile(target, (1000, 1)))
    largest = np.abs(rows["tau"]).max(axis=0)
    np.testing.assert_allclose(largest, robot.description.tau_max, rtol=1e-9)
    np.testing.assert_allclose(rows["q"][-1], target, atol=1e-6)


def test_stop_holds_where_the_servos_are(follow: Follow) -> None:
    robot = SimRobot()
    home = robot.description.home
    follow(robot, home + 0.1 * T * np.arange(100)[:, None])
    robot.stop()
    tick = new_rows(robot.n)
    robot.read(tick)
    stopped = tick["q"][0].copy()
    for _ in range(100):
        robot.read(tick)
    np.testing.assert_allclose(tick["q"][0], stopped, atol=2e-3)
    np.testing.assert_allclose(tick["qd"][0], 0.0, atol=1e-6)


def test_an_arm_has_the_lag_of_its_own_description() -> None:
    slow = replace(UR5E, dead_time=0.02, time_constant=0.05)
    assert ActuatorConfig().lag_of(slow) == (0.02, 0.05)
    assert ActuatorConfig(dead_time=0.0).lag_of(slow) == (0.0, 0.05)
    assert servo_of(Config(), slow) == Servo(dead_time=0.02, time_constant=0.05)
