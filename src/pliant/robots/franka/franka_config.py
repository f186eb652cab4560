"""Parameters of an arm of Franka Robotics."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from pliant.params import Params, Positive, SixPositive, Vector3, param
from pliant.pose import PoseNumbers
from pliant.robots.drawing import Drawing

_JOINTS = 7


def _seven(value: object) -> object:
    """One number for all joints, or seven."""
    return (value,) * _JOINTS if isinstance(value, int | float) else value


SevenPositive = Annotated[
    tuple[Positive, ...],
    BeforeValidator(_seven),
    Field(min_length=_JOINTS, max_length=_JOINTS),
]


class Load(Params):
    """A load that the arm is told of, beside the end effector that was set in Desk."""

    mass: float = param(..., "kg", "Mass.", ge=0.0, le=20.0)
    com_F: Vector3 = param(..., "m", "Centre of mass in the flange.")
    inertia: Vector3 = param(
        (1e-3, 1e-3, 1e-3), "kg·m²", "Moments of inertia about it, along the axes of the flange."
    )


class FrankaConfig(Params):
    """How a Franka arm is commanded and read."""

    realtime: Literal["enforce", "ignore"] | None = param(
        None,
        "",
        "Whether libfranka insists on a kernel with PREEMPT_RT; null: it does, except on a "
        "loopback address.",
    )
    silence: Positive = param(
        0.018,
        "s",
        "Time without a state after which the connection counts as lost; after 20 ms the guardian "
        "ends the controller anyway.",
        le=1.0,
    )
    least_success: float = param(
        0.8,
        "1",
        "Share of the last 100 commands that must have reached the arm; below it the arm stops.",
        ge=0.0,
        le=1.0,
    )
    collision_torque: SevenPositive = param(
        (40.0, 40.0, 36.0, 36.0, 32.0, 28.0, 24.0),
        "N·m",
        "External joint torque at which the arm itself stops, by a reflex.",
    )
    collision_force: SixPositive = param(
        (80.0, 80.0, 80.0, 25.0, 25.0, 25.0),
        "N, N·m",
        "External force and torque at the stiffness frame, likewise; above those of safety, which "
        "stop more gently.",
    )
    hand: bool = param(True, "", "Whether to connect the Franka Hand, if one answers.")
    load: Load | None = param(None, "", "A load to tell the arm of; null: as it is.")
    X_NE_EE: PoseNumbers | None = param(
        None,
        "m, 1",
        "End effector frame EE in the nominal one of Desk: x y z qw qx qy qz; null: as it is.",
    )
    X_EE_K: PoseNumbers | None = param(
        None,
        "m, 1",
        "Stiffness frame K in EE, at which the arm estimates forces; null: as it is.",
    )
    drawing: Drawing | None = param(
        None, "", "The hole before the arm; null: none. A real arm knows no scene."
    )
