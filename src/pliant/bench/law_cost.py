"""Cost of a whole tick of a torque arm under each law."""

import numpy as np

from pliant import commands as c
from pliant.arms.description import load_arm
from pliant.bench.figure import Figure
from pliant.bench.null_robot import NullRobot
from pliant.bench.timing import Batch, in_turns, time_each
from pliant.bench.yardstick import yardstick
from pliant.config import Config
from pliant.errors import PliantError
from pliant.laws.task_space_inverse_dynamics.kernel import BOUND as LIMIT_BINDS
from pliant.loop.clock import FastClock
from pliant.loop.history import History
from pliant.loop.loop import Loop

BOUND = 25.0
QP_BOUND = 40.0
_QP_LAW = "task_space_inverse_dynamics"
_BINDING = f"{_QP_LAW}, a limit binding"
_BOUNDS = {_QP_LAW: QP_BOUND, _BINDING: QP_BOUND}
# Ticks after which a motionless arm is so far from its circular reference that its limits bind.
_TICKS_UNTIL_BINDING = 500
_MOTIONS: dict[str, c.StartReference] = {
    "inverse_dynamics": c.FollowHand(),
    "inverse_dynamics_simplified": c.Sinus(),
    "pd_gravity": c.Sinus(),
    "cartesian_impedance": c.Circle(),
    "hybrid_force": c.Circle(),
}


def measure_laws(rounds: int, arm: str = "panda") -> dict[str, Figure]:
    """Measure the median tick under every law of a torque arm, without physics.

    Args:
        rounds: Number of turns of each law.
        arm: The arm.
    """
    loops = {law: loop_under(law, arm) for law in _laws(arm)} | {_BINDING: _bound_loop(arm)}
    ticks: dict[str, list[float]] = {name: [] for name in loops}
    batches: dict[str, Batch] = {
        name: time_each(loop.step, ticks[name]) for name, loop in loops.items()
    }
    R = in_turns(batches | {"R": yardstick()}, rounds)["R"]
    figures = {name: _figure(name, times, 50, R) for name, times in ticks.items()}
    for name in _BOUNDS:
        figures[f"{name}, 99 %"] = _figure(name, ticks[name], 99, R)
    return figures


def loop_under(law: str, arm: str = "panda") -> Loop:
    """A loop without physics, with an active law and a motion that suits it."""
    description = load_arm(arm)
    robot = NullRobot(description)
    publisher = History(robot.n, 2)
    loop = Loop(robot, description, FastClock(robot.dt), Config(), publisher=publisher)
    loop.step()
    loop.supervisor.take(c.Zero(), loop.row)
    while not loop.step()["zeroed"][0]:
        pass
    loop.supervisor.take(c.Activate(law=law), loop.row)
    if law == "hybrid_force":
        loop.supervisor.take(c.SetAxes(mask=(False, False, True, False, False, False)), loop.row)
    if law in _MOTIONS:
        loop.supervisor.take(_MOTIONS[law], loop.row)
    loop.step()
    return loop


def _laws(arm: str) -> list[str]:
    robot = NullRobot(load_arm(arm))
    publisher = History(robot.n, 2)
    loop = Loop(robot, load_arm(arm), FastClock(robot.dt), Config(), publisher=publisher)
    return loop.supervisor.law_names


def _bound_loop(arm: str) -> Loop:
    """A loop under the QP law with a binding limit, because the arm does not follow its circle."""
    loop = loop_under(_QP_LAW, arm)
    loop.supervisor.take(c.Circle(), loop.row)
    for _ in range(_TICKS_UNTIL_BINDING):
        loop.step()
    if not loop.row["law_limited"][0] & LIMIT_BINDS:
        raise PliantError("the benchmark expects a binding limit, but none binds")
    return loop


def _figure(name: str, times: list[float], percent: int, R: float) -> Figure:
    microseconds = float(np.percentile(times, percent))
    return Figure(
        value=float(np.round(microseconds / R, 4)),
        unit="R",
        meaning=f"tick under {name}" + ("" if percent == 50 else f", {percent} %"),
        bound=_BOUNDS.get(name, BOUND) if percent == 50 else None,
        microseconds=microseconds,
    )
