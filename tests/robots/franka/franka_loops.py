"""A loop on a Franka arm in lock step, in the test's own process: franky-sim, or a virtual arm."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pliant import commands as c
from pliant.arms.franka_status import FrankaStatus
from pliant.controller.arm_config import configure
from pliant.errors import Refused
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.reasons import State
from pliant.robots.registry import open_robot
from pliant.stages.supervisor import read_text
from tests.virtual_arms import VirtualArm, new_host

SERVER = Path(__file__).parent / "franky_server.py"

HAND = {"mass": 0.73, "com_F": (0.0, 0.01, 0.03), "inertia": (1.7e-3, 2.5e-3, 1.7e-3)}
"""About the hand that franky-sim's arm has."""

PATIENT = {
    "safety": {"lateness": 60.0, "tool_speed": 2.0},
    "franka": {"silence": 1.0, "hand": False},
}
"""For machines on which other tests run; without the hand, which takes a while to connect."""

WITH_HAND = PATIENT | {"franka": {"silence": 1.0}}


class FrankySim:
    """A running franky-sim.

    Attributes:
        host: Its address.
        process: Its process.
    """

    def __init__(self, *options: str) -> None:
        self.host = new_host()
        self.process = subprocess.Popen(
            [sys.executable, str(SERVER), self.host, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        while (line := self.process.stdout.readline()) != "ready\n":
            assert line, "franky-sim does not start"

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def franky(*options: str) -> Iterator[FrankySim]:
    server = FrankySim(*options)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def connected(
    server: FrankySim | VirtualArm, settings: dict[str, Any] = PATIENT, length: float = 10.0
) -> Iterator[tuple[Loop, History]]:
    """A loop that is connected, and its last ticks; it is stopped and closed afterwards."""
    spec = f"franka:{server.host}"
    config = configure(spec, settings, None)
    robot = open_robot(spec, config)
    assert robot.clock is not None
    history = History(robot.n, round(length / robot.dt))
    try:
        yield Loop(robot, robot.description, robot.clock, config, publisher=history), history
    finally:
        robot.stop()
        robot.close()


def run(loop: Loop, seconds: float) -> None:
    for _ in range(round(seconds / loop.robot.dt)):
        loop.step()


def until(loop: Loop, condition: Callable[[], bool], seconds: float = 10.0) -> None:
    for _ in range(round(seconds / loop.robot.dt)):
        if condition():
            return
        loop.step()
    pytest.fail(f"it did not come to pass: {read_text(loop.row)}")


def pressing(loop: Loop) -> None:
    """Press on the table with 5 N."""
    loop.take(c.Zero())
    run(loop, 0.4)
    activate(loop, "hybrid_force")
    # the table is 50 mm below the tool
    near = loop.row["X_WT"][0, 2] - 0.045
    loop.take(c.MoveBy(delta=(0.0, 0.0, -0.045, 0.0, 0.0, 0.0)))
    # friction leaves its springs some millimetres short
    until(loop, lambda: loop.row["X_WT"][0, 2] < near + 4e-3)
    loop.take(c.SetAxes(mask=(False, False, True, False, False, False)))
    loop.step()
    loop.take(c.SetWrench(wrench=(0.0, 0.0, -5.0, 0.0, 0.0, 0.0)))
    until(loop, lambda: loop.row["w_T"][0, 2] < -4.0)


def sliding(loop: Loop) -> None:
    """Press on the table with 5 N, and slide along it."""
    pressing(loop)
    loop.take(c.MoveBy(delta=(-0.1, 0.0, 0.0, 0.0, 0.0, 0.0), speed=0.05))
    until(loop, lambda: abs(loop.row["v_WT_W"][0, 0]) > 0.03)


def activate(loop: Loop, law: str) -> None:
    loop.take(c.Activate(law=law))
    loop.step()


def status(loop: Loop) -> int:
    return loop.row["robot_status"].item()


def in_fault(loop: Loop) -> bool:
    return loop.row["state"].item() == State.FAULT


def recovered(loop: Loop) -> list[str]:
    """Reset until the arm follows again; what the refusals said."""
    said = []
    for _ in range(200):
        try:
            loop.take(c.Reset())
            break
        except Refused as refusal:
            said.append(str(refusal))
            run(loop, 0.1)
    loop.step()
    assert loop.row["state"].item() == State.INACTIVE, said
    assert status(loop) == FrankaStatus.FOLLOWS
    return said
