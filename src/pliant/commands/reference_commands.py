"""Commands that start a motion of the reference: homing, sinus, hand, playback, circle, path."""

from typing import Any, Literal

import numpy as np
from pydantic import TypeAdapter, ValidationError, field_validator, model_validator

from pliant.commands.command import Command, argument, plain_value
from pliant.numerics.spatial import quat_exp
from pliant.params import JointVector, Number, Positive
from pliant.stages.reference.config import PathPoint

_UNIT_TOLERANCE = 1e-3

_JOINTS: TypeAdapter[tuple[float, ...]] = TypeAdapter(JointVector)
_NUMBERS: TypeAdapter[list[float]] = TypeAdapter(list[Number])


def _validated(numbers: TypeAdapter[Any], value: Any) -> Any:
    try:
        return numbers.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ValueError(f"{where}: {first['msg'].removeprefix('Value error, ')}") from None


class StartReference(Command):
    """Base of the commands that start a motion of the reference."""

    moves = True


class Home(StartReference):
    """Move the joint reference to a configuration along a minimum-jerk trajectory."""

    word = "HOME"
    time: Positive = argument("time", "s", "How long it takes.", 3.0, le=600.0)
    joints: Any = argument(
        "joints", "rad", "Target, a list with one value per joint; the arm's home if omitted.", None
    )

    @field_validator("joints", mode="before")
    @classmethod
    def _numbers(cls, value: Any) -> tuple[float, ...] | None:
        value = plain_value(value)
        if value is None:
            return None
        if not isinstance(value, list | tuple):
            raise ValueError("give a list with a number per joint, as in [0, -0.8, 0, …]")
        return _validated(_JOINTS, value)


class Sinus(StartReference):
    """Swing the joint reference by the parameters of reference.sinus."""

    word = "SINUS"


class FollowHand(StartReference):
    """Move the joint reference where a hand pushes the tool, by reference.follow_hand."""

    word = "FOLLOW_HAND"
    aliases = ("FOLLOW",)


class Playback(StartReference):
    """Replay the motion of reference.playback.file."""

    word = "PLAYBACK"


class FollowPath(StartReference):
    """Give the points of a timed path of the tool, or follow it."""

    word = "FOLLOW_PATH"
    aliases = ("PATH",)
    action: Literal["new", "add", "run"] = argument(
        "action", "", "new starts a path with these points, add appends them, run follows it."
    )
    points: Any = argument(
        "points",
        "s, m, rad",
        "A list of up to 20 points, each [t, x, y, z, rx, ry, rz] or [t, x, y, z, qw, qx, qy, qz].",
        None,
    )

    @field_validator("points", mode="before")
    @classmethod
    def _poses(cls, value: Any) -> tuple[PathPoint, ...] | None:
        value = plain_value(value)
        if value is None:
            return None
        if not isinstance(value, list | tuple) or not value:
            raise ValueError("give a list of points, as in [[0, 0.4, 0, 0.3, 0, 3.14, 0], …]")
        return tuple(path_point(point) for point in value)

    @model_validator(mode="after")
    def _complete(self) -> "FollowPath":
        if (self.action == "run") != (self.points is None):
            raise ValueError("new and add take points, run takes none")
        return self


def path_point(value: Any) -> PathPoint:
    """A point of a path: its time and a pose with a unit quaternion.

    Raises:
        ValueError: It is none.
    """
    value = plain_value(value)
    if not isinstance(value, list | tuple) or len(value) not in (7, 8):
        raise ValueError(
            "a point is [t, x, y, z, rx, ry, rz] or [t, x, y, z, qw, qx, qy, qz], "
            f"not {str(value)[:60]}"
        )
    numbers = _validated(_NUMBERS, list(value))
    quat = np.array(numbers[4:])
    if len(quat) == 3:
        turn = np.empty(4)
        quat_exp(quat, turn)
        quat = turn
    length = float(np.linalg.norm(quat))
    if abs(length - 1.0) > _UNIT_TOLERANCE:
        raise ValueError(f"the quaternion of a point has length {length:.4g}, not 1")
    time, x, y, z = numbers[:4]
    qw, qx, qy, qz = quat.tolist()
    return time, x, y, z, qw, qx, qy, qz


class Circle(StartReference):
    """Move the tool reference along a circle, by the parameters of reference.circle."""

    word = "CIRCLE"
