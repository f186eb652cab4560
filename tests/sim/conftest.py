"""A simulated arm that gets only set points."""

from collections.abc import Callable

import numpy as np
import pytest

from pliant.robots.sim import SimConfig, SimRobot
from pliant.sim.actuator import ActuatorConfig
from pliant.sim.sensor import SensorConfig
from pliant.tick import new_rows

IDEAL_ACTUATOR = ActuatorConfig(dead_time=0.0, time_constant=0.0)
IDEAL_SENSOR = SensorConfig(
    noise_force=0.0,
    noise_torque=0.0,
    bias_force=0.0,
    bias_torque=0.0,
    drift_force=0.0,
    drift_torque=0.0,
)

Follow = Callable[[SimRobot, np.ndarray], np.ndarray]


@pytest.fixture
def ideal() -> SimConfig:
    """No lag, and a sensor without faults."""
    return SimConfig(actuator=IDEAL_ACTUATOR, sensor=IDEAL_SENSOR)


@pytest.fixture
def follow() -> Follow:
    """Feed set points, one a tick, and return a row per tick: before set point k, row k."""

    def run(robot: SimRobot, set_points: np.ndarray) -> np.ndarray:
        rows = new_rows(robot.n, len(set_points))
        for k, q in enumerate(set_points):
            tick = rows[k : k + 1]
            robot.read(tick)
            tick["q_limited"][0] = q
            robot.write(tick)
        return rows

    return run
