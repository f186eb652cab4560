"""Commands that arm conditions: what to do, in the loop, as soon as one holds."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from pliant.commands.command import Command, argument
from pliant.errors import Refused
from pliant.stages.supervisor.conditions import condition
from pliant.stages.supervisor.reaction import FORMS, reaction
from pliant.tick import MOST_REACTIONS

_MOST_TEXT = 400


def _condition(text: str) -> str:
    return _valid(condition, text)


def _reaction(text: str) -> str:
    return _valid(reaction, text)


def _valid(read: Any, text: str) -> str:
    """A text that can be read, in its one form."""
    try:
        return str(read(text))
    except Refused as error:
        raise ValueError(str(error)) from None


def _text(value: Any) -> Any:
    return value if isinstance(value, int) else str(value)


ConditionText = Annotated[
    str, BeforeValidator(_text), Field(max_length=_MOST_TEXT), AfterValidator(_condition)
]
ReactionText = Annotated[
    str, BeforeValidator(_text), Field(max_length=_MOST_TEXT), AfterValidator(_reaction)
]
_CONDITION = (
    "Up to four comparisons of columns with numbers, joined with & and without spaces, as in "
    "force(z)>5&speed<0.01; @n at the end: held for n ticks in a row, @0.1s for a time."
)


class React(Command):
    """Arm a condition: when it first holds, the reaction acts in the same tick, once."""

    word = "REACT"
    moves = True
    condition: ConditionText = argument("condition", "", _CONDITION)
    reaction: ReactionText = argument("reaction…", "", f"{FORMS}.")


class Until(Command):
    """Move until a condition holds: arm it with the reaction hold, together with a motion."""

    word = "UNTIL"
    moves = True
    condition: ConditionText = argument("condition", "", _CONDITION)
    line: str = argument(
        "command…", "", "A command that starts a motion, as in RELD 0 0 -0.1 0 0 0."
    )


class Disarm(Command):
    """Disarm one condition, or all."""

    word = "DISARM"
    number: Annotated[int, Field(ge=1, le=MOST_REACTIONS)] | Literal["all"] = argument(
        "number", "", "The number that REACT or UNTIL replied with, or all.", "all"
    )
