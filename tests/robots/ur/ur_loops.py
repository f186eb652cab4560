"""A loop on a virtual UR, in the test's own process, in the arm's time."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pliant import commands as c
from pliant.arms.robot_status import UrStatus
from pliant.controller.arm_config import configure
from pliant.errors import Refused
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.reasons import State
from pliant.robots.registry import open_robot
from pliant.stages.supervisor import read_text
from tests.virtual_arms import VirtualArm

PATIENT = {"safety": {"lateness": 60.0}, "ur": {"silence": 1.0, "watchdog": 2.0}}
"""For machines on which other tests run."""

MOST = 20.0
"""Longest time of the arm in a test, s."""


def running(arm: VirtualArm, settings: dict[str, Any] = PATIENT) -> Iterator[Loop]:
    """A loop that is connected; it is stopped and closed afterwards."""
    spec = f"ur:{arm.host}"
    config = configure(spec, settings, None)
    robot = open_robot(spec, config)
    assert robot.clock is not None
    history = History(robot.n, 10)
    loop = Loop(robot, robot.description, robot.clock, config, publisher=history)
    yield loop
    robot.stop()
    robot.close()


def until(loop: Loop, condition: Callable[[], bool]) -> None:
    """Run until a condition holds, at most 20 s of the arm's time."""
    for _ in range(round(MOST / loop.robot.dt)):
        if condition():
            return
        loop.step()
    pytest.fail(f"it did not come to pass: {read_text(loop.row)}")


def run(loop: Loop, seconds: float) -> None:
    for _ in range(round(seconds / loop.robot.dt)):
        loop.step()


def pressing(loop: Loop) -> None:
    """Press on the table with 5 N."""
    loop.take(c.Zero())
    run(loop, 0.4)
    loop.take(c.Activate(law="hybrid_admittance"))
    loop.step()
    # near the table, which is 50 mm below the tool
    near = loop.row["X_WT"][0, 2] - 0.045
    loop.take(c.MoveBy(delta=(0.0, 0.0, -0.045, 0.0, 0.0, 0.0)))
    until(loop, lambda: loop.row["X_WT"][0, 2] < near + 2e-4)
    loop.take(c.SetAxes(mask=(False, False, True, False, False, False)))
    loop.step()
    loop.take(c.SetWrench(wrench=(0.0, 0.0, -5.0, 0.0, 0.0, 0.0)))
    until(loop, lambda: loop.row["w_T"][0, 2] < -4.5)


def sliding(loop: Loop) -> None:
    """Press on the table with 5 N, and slide along it."""
    pressing(loop)
    loop.take(c.MoveBy(delta=(-0.1, 0.0, 0.0, 0.0, 0.0, 0.0), speed=0.05))
    until(loop, lambda: abs(loop.row["v_WT_W"][0, 0]) > 0.04)


def status(loop: Loop) -> int:
    return loop.row["robot_status"].item()


def recovered(loop: Loop) -> None:
    """Reset until the arm follows again."""
    for _ in range(200):
        try:
            loop.take(c.Reset())
            break
        except Refused as refusal:
            # "reset again then", or for what has not quite gone "close it, then reset"
            assert "reset again" in str(refusal) or "then reset" in str(refusal)
            run(loop, 0.1)
    loop.step()
    assert loop.row["state"].item() == State.INACTIVE
    assert status(loop) == UrStatus.FOLLOWS
