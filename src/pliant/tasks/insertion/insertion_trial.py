"""One insertion as a trial: the hidden scene from a few numbers and a seed."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import fields
from functools import partial
from math import cos, pi, radians, sin
from pathlib import Path
from typing import Any

import numpy as np

from pliant.api.arm import Arm
from pliant.api.recorders import record as record_arm
from pliant.tasks.insertion.insertion_plan import InsertionPlan
from pliant.tasks.insertion.insertion_result import InsertionResult
from pliant.tasks.insertion.peg_compliance import LAW
from pliant.tasks.insertion.peg_laws import COMPLIANT_LAWS
from pliant.tasks.insertion.strategy import Insertion
from pliant.tasks.trial_task import TrialParameter, TrialTask, with_defaults

HISTORY = 180.0
"""Long enough for an insertion that gets stuck in every attempt, s."""

_PLAN = "plan."

PARAMETERS = {
    "offset": TrialParameter(
        default=1.0, low=0.0, high=20.0, unit="mm", law="disc",
        doc="Distance of the hole from its nominal position; the seed gives the direction.",
    ),
    "height": TrialParameter(
        default=0.0, low=-5.0, high=5.0, unit="mm",
        doc="How far the true surface is above the nominal one.",
    ),
    "tilt": TrialParameter(
        default=0.0, low=0.0, high=15.0, unit="degrees", law="disc",
        doc="Tilt of the hole; the seed gives the direction.",
    ),
    "grasp": TrialParameter(
        default=0.0, low=0.0, high=2.0, unit="mm", law="disc",
        doc="How far the peg is shifted in the gripper; the seed gives the direction.",
    ),
    "grasp_tilt": TrialParameter(
        default=0.0, low=0.0, high=5.0, unit="degrees", law="disc",
        doc="How far the peg is tilted in the gripper; the seed gives the direction.",
    ),
    "clearance": TrialParameter(
        default=0.3, low=0.03, high=5.0, unit="mm",
        doc="Radial clearance between peg and hole.",
    ),
    "rounding": TrialParameter(
        default=0.2, low=0.0, high=1.0, unit="mm",
        doc="Radius of the edges of peg and hole; 0: sharp, which is 0.02 mm.",
    ),
    "stiffness": TrialParameter(
        default=10.0, low=1.0, high=100.0, unit="N/mm", doc="Stiffness of the fixture.",
    ),
    "rotation": TrialParameter(
        default=0.0, low=0.0, high=500.0, unit="N·m/rad",
        doc="Rotational stiffness of the fixture; 0: rigid.",
    ),
    "friction": TrialParameter(
        default=0.3, low=0.0, high=2.0, unit="", doc="Coefficient of friction.",
    ),
    "later_stiffness": TrialParameter(
        default=0.0, low=0.0, high=100.0, unit="N/mm",
        doc="Stiffness of the fixture after a change under way; 0: no change.",
    ),
    "later_time": TrialParameter(
        default=0.0, low=0.0, high=180.0, unit="s", doc="Time of that change.",
    ),
    "lag": TrialParameter(
        default=34.0, low=0.0, high=100.0, unit="ms",
        doc="Servo lag of a position-controlled arm, of which a quarter is dead time.",
    ),
    "joint_friction": TrialParameter(
        default=1.0, low=0.0, high=3.0, unit="",
        doc="Friction of a torque arm's joints, relative to the typical one.",
    ),
}  # fmt: skip
"""Hidden from the strategy, all of them."""


def insertion_config(params: Mapping[str, float], seed: int) -> dict[str, Any]:
    """The simulated scene, from values in the units of the command line."""
    given = with_defaults(PARAMETERS, params)
    place, lean, shift, turn = np.random.default_rng(seed).uniform(0.0, 2.0 * pi, 4)
    later, lag = given["later_stiffness"], 1e-3 * given["lag"]
    scene = {
        "kind": "peg",
        "offset": _vector(1e-3 * given["offset"], place),
        "height_error": 1e-3 * given["height"],
        "tilt": _vector(radians(given["tilt"]), lean),
        "grasp_shift": _vector(1e-3 * given["grasp"], shift),
        "grasp_tilt": _vector(radians(given["grasp_tilt"]), turn),
        "clearance": 1e-3 * given["clearance"],
        "rounding": 1e-3 * given["rounding"],
        "stiffness": 1e3 * given["stiffness"],
        "rotational_stiffness": given["rotation"],
        "friction": given["friction"],
        "later_stiffness": 1e3 * later if later else None,
        "later_time": given["later_time"],
    }
    actuator = {"dead_time": 0.25 * lag, "time_constant": 0.75 * lag}
    sim = {"scene": scene, "actuator": actuator, "seed": seed}
    return {"sim": sim | {"friction_scale": given["joint_friction"]}}


def insertion_trial(
    params: Mapping[str, float],
    seed: int,
    robot: str,
    *,
    record: Path | None = None,
    plot: Path | None = None,
    law: str = LAW,
) -> dict[str, Any]:
    """One compliant insertion."""
    scene = {name: value for name, value in params.items() if name in PARAMETERS}
    arm = Arm(robot, config=insertion_config(scene, seed), history=HISTORY)
    insertion = Insertion(arm, _plan(params))
    with arm, record_arm(arm, record) if record else nullcontext():
        result = insertion.run(law)
        if plot:
            from pliant.tasks.insertion.insertion_plot import plot_insertions

            plot_insertions([(arm.history, insertion.phases, result)], plot)
    return result.as_dict()


def _plan(params: Mapping[str, float]) -> InsertionPlan:
    """The strategy's own figures, with those that the trial gives."""
    given: dict[str, Any] = {}
    for field in fields(InsertionPlan):
        if (name := _PLAN + field.name) in params:
            given[field.name] = type(field.default)(params[name])
    return InsertionPlan(**given)


def _vector(length: float, direction: float) -> tuple[float, float]:
    return length * cos(direction), length * sin(direction)


def _is_of_the_plan(name: str) -> bool:
    known = {field.name for field in fields(InsertionPlan)}
    return name.startswith(_PLAN) and name.removeprefix(_PLAN) in known


INSERTION = TrialTask(
    name="insertion",
    doc="Insert a peg into a hole that is off its nominal position.",
    robot="sim:ur5e/peg",
    parameters=PARAMETERS,
    run=insertion_trial,
    success="seated",
    figures=tuple(field.name for field in fields(InsertionResult) if field.type is float),
    laws={law: partial(insertion_trial, law=law) for law in COMPLIANT_LAWS},
    further=_is_of_the_plan,
)
