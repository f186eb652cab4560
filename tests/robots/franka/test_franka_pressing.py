"""Pressing by joint torques over the wire is what it is in simulation."""

import numpy as np
import pytest

from pliant.controller.arm_config import configure
from pliant.loop.clock import FastClock
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.robots.registry import open_robot
from tests.virtual_arms import virtual_arm

from .franka_loops import PATIENT, connected, in_fault, pressing, run

pytestmark = pytest.mark.alone

LENGTH = 20.0
LAST = 1.0
"""Time at the end over which the mean is taken, s."""


def pressed(loop: Loop) -> float:
    """Press for some time; the mean sensed force at the end, N."""
    run(loop, 0.1)
    pressing(loop)
    run(loop, 2.0)
    sensed = []
    for _ in range(round(LAST / loop.robot.dt)):
        sensed.append(loop.step()["w_T"][0, 2])
    assert not in_fault(loop)
    return float(np.mean(sensed))


def simulated(seed: int) -> tuple[float, float]:
    """Mean sensed force, and the largest force on the table, N."""
    spec = "sim:fr3/table"
    config = configure(spec, {"safety": PATIENT["safety"]}, seed)
    robot = open_robot(spec, config)
    history = History(robot.n, round(LENGTH / robot.dt))
    loop = Loop(robot, robot.description, FastClock(robot.dt), config, publisher=history)
    mean = pressed(loop)
    return mean, float(history["true_f_peak"].max())


def over_the_wire(seed: int) -> tuple[float, float]:
    """The same of a virtual arm."""
    with virtual_arm("fr3/table", "--clock", "lockstep", "--seed", f"{seed}") as arm:
        with connected(arm, length=1.0) as (loop, _):
            mean = pressed(loop)
        return mean, arm.truth()["peak"]


def test_pressing_over_the_wire_is_what_it_is_in_simulation() -> None:
    pairs = [(simulated(seed), over_the_wire(seed)) for seed in range(2)]
    print(pairs)
    means, peaks = np.moveaxis(np.array(pairs), 2, 0)
    np.testing.assert_allclose(means, -5.0, atol=0.5)
    sim, wire = np.median(peaks, axis=0)
    assert abs(wire - sim) < 1.0
