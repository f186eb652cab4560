"""What a whole tick of a torque arm costs under each law."""

import numpy as np

from pliant import commands as c
from pliant.arms.description import load_arm
from pliant.bench.figure import Figure
from pliant.bench.null_robot import NullRobot
from pliant.bench.timing import Batch, in_turns
from pliant.bench.yardstick import yardstick
from pliant.config import Config
from pliant.errors import PliantError
from pliant.laws.task_space_inverse_dynamics.program import Program
from pliant.runtime.clock import FastClock
from pliant.runtime.history import History
from pliant.runtime.loop import Loop

BOUND = 25.0
QP_BOUND = 40.0
_QP_LAW = "task_space_inverse_dynamics"
_BINDING = f"{_QP_LAW}, a limit binding"
_BOUNDS = {_QP_LAW: QP_BOUND, _BINDING: QP_BOUND}
_MOTIONS: dict[str, c.StartReference] = {
    "inverse_dynamics": c.FollowHand(),
    "inverse_dynamics_simplified": c.Sinus(),
    "pd_gravity": c.Sinus(),
    "cartesian_impedance": c.Circle(),
}


def measure_laws(rounds: int, arm: str = "panda") -> dict[str, Figure]:
    """The median tick of every law that a torque arm can run, without physics.

    Args:
        rounds: How often every law takes its turn.
        arm: The arm.
    """
    loops = {law: loop_under(law, arm) for law in _laws(arm)}
    batches: dict[str, Batch] = {law: _ticks(loop) for law, loop in loops.items()}
    batches[_BINDING] = _ticks_and_solver(loops[_QP_LAW])
    times = in_turns(batches | {"R": yardstick()}, rounds)
    R = times.pop("R")
    return {law: _figure(law, microseconds, R) for law, microseconds in times.items()}


def loop_under(law: str, arm: str = "panda") -> Loop:
    """A loop without physics with a law in charge of a motion that suits it."""
    description = load_arm(arm)
    robot = NullRobot(description)
    nobody = History(robot.n, 2)
    loop = Loop(robot, description, FastClock(robot.dt), Config(), publisher=nobody)
    loop.step()
    loop.supervisor.take(c.Zero(), loop.row)
    while not loop.step()["zeroed"][0]:
        pass
    loop.supervisor.take(c.Activate(law=law), loop.row)
    if law in _MOTIONS:
        loop.supervisor.take(_MOTIONS[law], loop.row)
    loop.step()
    return loop


def _laws(arm: str) -> list[str]:
    robot = NullRobot(load_arm(arm))
    nobody = History(robot.n, 2)
    loop = Loop(robot, load_arm(arm), FastClock(robot.dt), Config(), publisher=nobody)
    return loop.supervisor.law_names


def _ticks(loop: Loop) -> Batch:
    def batch(count: int) -> None:
        for _ in range(count):
            loop.step()

    return batch


def _ticks_and_solver(loop: Loop) -> Batch:
    """Ticks of an arm at rest, where no limit binds, each with the solver that one would need."""
    program = Program(loop.robot.n)
    n = loop.robot.n
    program.H[:] += 0.1
    program.C[:n] += 0.1
    program.low[:n], program.high[:n] = -10.0, 10.0
    # two accelerations and no torque at their bounds
    program.g[:] = 0.1
    program.g[:2] = -2.0, 3.0
    if program.solve() is None:
        raise PliantError("the quadratic program of the benchmark has no solution")

    def batch(count: int) -> None:
        for _ in range(count):
            loop.step()
            program.solve()

    return batch


def _figure(law: str, microseconds: float, R: float) -> Figure:
    return Figure(
        value=float(np.round(microseconds / R, 4)),
        unit="R",
        meaning=f"tick under {law}",
        bound=_BOUNDS.get(law, BOUND),
        microseconds=microseconds,
    )
