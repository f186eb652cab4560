"""A late loop stops a real arm soon, and a simulated one, whose physics waits for it, later."""

import pytest

from pliant import Arm
from pliant.arms.description import load_arm
from pliant.config import Config
from pliant.loop.clock import clock_kernel
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.robots.base import Robot
from pliant.stages.safety.config import LATENESS, SIMULATED_LATENESS
from pliant.stages.supervisor import read_text
from pliant.tick import Rows


class Still(Robot):
    """An arm that stands still; it says that it is real."""

    description = load_arm("ur5e")

    def read(self, tick: Rows) -> None:
        """It is at home."""
        tick["q"], tick["qd"] = self.description.home, 0.0
        tick["temperature"] = 20.0

    def write(self, tick: Rows) -> None:
        """It takes the set points."""
        tick["q_sent"] = tick["q_limited"]


class LateOnce:
    """A clock whose third tick is late."""

    def __init__(self, dt: float, lateness: float) -> None:
        self._dt, self._lateness = dt, lateness

    def wait(self, prev: Rows, tick: Rows) -> None:
        """Write the clock's columns."""
        late = self._lateness if prev["k"].item() == 2 else 0.0
        clock_kernel(prev, tick, self._dt, late, 0.0)


def after(lateness: float, *, simulated: bool, config: Config | None = None) -> Loop:
    """A loop after a late tick."""
    robot = Still()
    robot.simulated = simulated
    clock = LateOnce(robot.dt, lateness)
    loop = Loop(robot, robot.description, clock, config or Config(), publisher=History(6, 1))
    for _ in range(6):
        loop.step()
    return loop


@pytest.mark.parametrize(
    ("simulated", "lateness", "stops"),
    [(False, 0.04, False), (False, 0.06, True), (True, 0.06, False), (True, 1.1, True)],
)
def test_the_limit_depends_on_the_kind_of_arm(
    simulated: bool, lateness: float, stops: bool
) -> None:
    loop = after(lateness, simulated=simulated)
    assert loop.in_fault == stops
    limit = SIMULATED_LATENESS if simulated else LATENESS
    assert loop.supervisor.config.safety.lateness == limit
    if stops:
        text = read_text(loop.row)
        assert f"{1e3 * lateness:.0f} ms of {1e3 * limit:g} ms" in text
        assert "safety.lateness" in text


def test_a_limit_that_is_given_holds_for_every_arm() -> None:
    config = Config.from_dict({"safety": {"lateness": 0.02}})
    assert after(0.03, simulated=True, config=config).in_fault


def test_the_limit_of_a_simulated_arm_is_in_its_configuration() -> None:
    assert Arm("sim:ur5e").config.safety.lateness == SIMULATED_LATENESS
