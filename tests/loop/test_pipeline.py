"""The pipeline computes what its stages compute one by one, and takes new parameters."""

import numpy as np
import pytest

from pliant import commands as c
from pliant.arms.description import load_arm
from pliant.config import Config
from pliant.controller.arm_config import configure
from pliant.errors import ConfigError
from pliant.laws import PoseLaw
from pliant.loop.clock import FastClock
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.loop.pipeline import Pipeline
from pliant.reasons import Reason, State
from pliant.robots.registry import open_robot
from pliant.stages.supervisor.stage import MOST_LAWS
from pliant.tick import Rows

TICKS = 2000

PRESSES = {
    10: c.Zero(),
    300: c.Activate(law="hybrid_admittance"),
    301: c.SetAxes(mask=(False, False, True, False, False, False)),
    302: c.SetWrench(wrench=(0.0, 0.0, -5.0, 0.0, 0.0, 0.0)),
    400: c.SetParameter(path="wrench.cutoff", value=60.0),
    500: c.UsePreset(name="stiff_surface"),
    900: c.Activate(law="position"),
    901: c.MoveBy(delta=(0.02, -0.01, 0.0, 0.0, 0.0, 0.1)),
    1100: c.Deactivate(),
    1400: c.Activate(law="position"),
    1401: c.SetParameter(path="safety.contact_force", value=20.0),
    1402: c.MoveBy(delta=(0.0, 0.0, -0.1, 0.0, 0.0, 0.0)),
}
"""Presses on a table, moves, rests, and is then stopped as it hits the table."""

SWINGS = {
    10: c.Activate(law="gravity"),
    200: c.Activate(law="inverse_dynamics"),
    201: c.Sinus(),
    500: c.SetParameter(path="reference.sinus.frequency", value=(0.1,) * 7),
    800: c.Activate(law="cartesian_impedance"),
    801: c.MoveBy(delta=(0.02, -0.01, 0.0, 0.0, 0.0, 0.1)),
    1100: c.Activate(law="task_space_inverse_dynamics"),
    1101: c.Circle(),
    1400: c.Activate(law="position"),
    1500: c.Deactivate(),
    1800: c.SetParameter(path="safety.tool_speed", value=0.5),
}
"""A torque arm under laws of every kind."""


def one_by_one(pipeline: Pipeline, prev: Rows, tick: Rows) -> int:
    for stage in pipeline.stages.values():
        stage(prev, tick)
    return 0


def run(spec: str, scenario: dict[int, c.Command], *, each_stage: bool) -> History:
    """Every tick of a scenario."""
    config = configure(spec, None, None)
    robot = open_robot(spec, config)
    history = History(robot.n, TICKS)
    loop = Loop(robot, robot.description, FastClock(robot.dt), config, publisher=history)
    if each_stage:
        pipeline = loop.pipeline
        vars(pipeline)["compute"] = lambda prev, tick: one_by_one(pipeline, prev, tick)
    for k in range(TICKS):
        if k in scenario:
            loop.take(scenario[k])
        loop.step()
    return history


def assert_equal(one: History, other: History) -> None:
    for name in one.columns:
        assert one[name].tobytes() == other[name].tobytes(), name


def test_a_tick_equals_its_stages_called_one_by_one_bit_for_bit() -> None:
    whole = run("sim:ur5e/table", PRESSES, each_stage=False)
    assert (whole["law"] == 0).sum() > 500
    assert (whole["law"] == 1).sum() > 200
    assert whole["state"][-1] == State.FAULT
    assert whole["reason"][-1] == Reason.CONTACT_FORCE
    assert_equal(whole, run("sim:ur5e/table", PRESSES, each_stage=True))


def test_so_it_does_on_a_torque_arm() -> None:
    whole = run("sim:panda", SWINGS, each_stage=False)
    assert len(np.unique(whole["law"])) == 6
    assert whole["state"][-1] == State.INACTIVE
    assert_equal(whole, run("sim:panda", SWINGS, each_stage=True))


class Numbered(PoseLaw):
    """A law among many."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.name = f"law_{number}"  # type: ignore[misc]

    def update(self, prev: Rows, tick: Rows) -> None:
        """Let the arm hold."""


def test_too_many_laws_are_refused() -> None:
    laws = [Numbered(i) for i in range(MOST_LAWS)]
    arm = load_arm("ur5e")
    with pytest.raises(ConfigError, match=f"at most {MOST_LAWS} laws"):
        Pipeline(arm, Config(), 0.002, laws)
    assert len(Pipeline(arm, Config(), 0.002, laws[:-2]).laws) == MOST_LAWS


def test_a_law_that_follows_joint_references_needs_a_torque_arm() -> None:
    class Joints(Numbered):
        takes = "joints"

    with pytest.raises(ConfigError, match="law law_1 follows a joint reference, which only arms"):
        Pipeline(load_arm("ur5e"), Config(), 0.002, [Joints(1)])
