"""Joints warm up with the square of their torque."""

from collections.abc import Callable
from math import exp

import numpy as np

from pliant.robots.sim import SimConfig, SimRobot
from pliant.sim.thermal import ThermalConfig

Follow = Callable[[SimRobot, np.ndarray], np.ndarray]


def test_holding_its_weight_the_arm_warms_as_the_closed_form(follow: Follow) -> None:
    thermal = ThermalConfig(ambient=20.0, start=30.0, rise=500.0, time_constant=1.0)
    robot = SimRobot(config=SimConfig(thermal=thermal))
    ticks = 600
    rows = follow(robot, np.tile(robot.description.home, (ticks, 1)))
    tau = rows["tau"][-1]
    final = 20.0 + 500.0 * (tau / robot.description.tau_max) ** 2
    expected = final + (30.0 - final) * exp(-ticks * robot.dt)
    np.testing.assert_allclose(rows["temperature"][-1], expected, atol=1e-3)
    assert np.argmax(rows["temperature"][-1]) == np.argmax(np.abs(tau / robot.description.tau_max))


def test_at_its_defaults_the_arm_stays_below_its_limit_at_home() -> None:
    robot = SimRobot()
    torque = robot.world.data.qfrc_bias[: robot.n] / robot.description.tau_max
    final = robot.config.thermal.ambient + robot.config.thermal.rise * torque**2
    assert (final < robot.description.temperature_max).all()
