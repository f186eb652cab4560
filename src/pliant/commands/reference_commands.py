"""Commands that start a motion of the reference: homing, sinus, hand, playback, circle."""

from typing import Any

from pydantic import TypeAdapter, ValidationError, field_validator

from pliant.commands.command import Command, argument, plain_value
from pliant.params import JointVector, Positive

_JOINTS: TypeAdapter[tuple[float, ...]] = TypeAdapter(JointVector)


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
        try:
            return _JOINTS.validate_python(value)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise ValueError(f"{where}: {first['msg'].removeprefix('Value error, ')}") from None


class Sinus(StartReference):
    """Swing the joint reference by the parameters of reference.sinus."""

    word = "SINUS"


class FollowHand(StartReference):
    """Move the joint reference where a hand pushes the tool, by reference.follow_hand."""

    word = "FOLLOW"


class Playback(StartReference):
    """Replay the motion of reference.playback.file."""

    word = "PLAYBACK"


class Circle(StartReference):
    """Move the tool reference along a circle, by the parameters of reference.circle."""

    word = "CIRCLE"
