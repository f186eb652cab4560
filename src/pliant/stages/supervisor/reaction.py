"""Reactions: what happens in the tick in which a condition holds."""

from dataclasses import dataclass
from enum import IntEnum
from math import isfinite
from typing import get_args

from pliant.errors import Refused
from pliant.params import Frame
from pliant.stages.supervisor.conditions import shortest

RETRACT_SPEED = 0.05
"""Speed of a retraction unless it is given, m/s."""

FORMS = "hold | retract distance [speed] | stop | law name | wrench Fx Fy Fz Tx Ty Tz [tool|world]"
"""The reactions as text."""

_CALLS = {
    "hold": "hold()",
    "retract": "retract(0.01)",
    "stop": "stop()",
    "law": 'law("position")',
    "wrench": "wrench([0, 0, 0, 0, 0, 0])",
}
"""How a reaction is made in Python, by its method."""

_MOST_RETRACTED = 0.5


class ReactionKind(IntEnum):
    """What a reaction does; the codes are constants in `@kernel` functions."""

    HOLD = 1
    """The reference, or without a law the joints, come to rest."""
    RETRACT = 2
    """The reference moves back along its path or, from rest, along −z of the tool."""
    STOP = 3
    """The law ends: force targets go to zero and the arm comes to rest."""
    LAW = 4
    """Another law becomes active."""
    WRENCH = 5
    """A wrench target is set."""


@dataclass(frozen=True, repr=False)
class Reaction:
    """A prepared command; make one with `Reaction.hold()`, `Reaction.retract(0.01)` and so on.

    Attributes:
        kind: What it does.
        numbers: Distance and speed of a retraction, or the wrench.
        word: The name of the law, or the frame of the wrench.
    """

    kind: ReactionKind
    numbers: tuple[float, ...] = ()
    word: str = ""

    @classmethod
    def hold(cls) -> "Reaction":
        """Stop the reference where it is; without a law, the joints."""
        return cls(ReactionKind.HOLD)

    @classmethod
    def retract(cls, distance: float, speed: float = RETRACT_SPEED) -> "Reaction":
        """Move back along the path by a distance, m; from rest along −z of the tool."""
        if not (0.0 < distance <= _MOST_RETRACTED and speed > 0.0 and isfinite(speed)):
            raise Refused(
                f"retract by 0 to {_MOST_RETRACTED:g} m at a speed above 0, "
                f"not {distance:g} m at {speed:g} m/s"
            )
        return cls(ReactionKind.RETRACT, (float(distance), float(speed)))

    @classmethod
    def stop(cls) -> "Reaction":
        """End the law: force targets go to zero, the arm comes to rest and holds."""
        return cls(ReactionKind.STOP)

    @classmethod
    def law(cls, name: str) -> "Reaction":
        """Switch to another law; it starts from where the arm is."""
        return cls(ReactionKind.LAW, word=name)

    @classmethod
    def wrench(cls, wrench: "tuple[float, ...] | list[float]", frame: Frame = "tool") -> "Reaction":
        """Set the wrench to be sensed along force-controlled axes."""
        numbers = tuple(float(value) for value in wrench)
        if len(numbers) != 6 or not all(map(isfinite, numbers)):
            raise Refused("a wrench has six finite numbers Fx Fy Fz Tx Ty Tz")
        if frame not in get_args(Frame):
            raise Refused(f"the frame of a wrench is tool or world, not {frame[:20]!r}")
        return cls(ReactionKind.WRENCH, numbers, frame)

    def __repr__(self) -> str:
        return f"<Reaction {self}>"

    def __str__(self) -> str:
        parts = [self.kind.name.lower(), *map(shortest, self.numbers)]
        return " ".join([*parts, self.word] if self.word else parts)


def reaction(what: str | Reaction) -> Reaction:
    """A reaction from its text; a reaction as it is.

    Raises:
        Refused: The text is none; the message has the forms.
    """
    if isinstance(what, Reaction):
        return what
    if not isinstance(what, str):
        name = getattr(what, "__name__", "")
        call = name if name in _CALLS else "hold"
        raise Refused(
            f"a reaction is what pliant.Reaction.{_CALLS[call]} returns, not "
            f"{f'the method {name} itself' if name in _CALLS else repr(what)[:40]}; there are "
            f"{', '.join(_CALLS.values())}"
        )
    word, *rest = what.split() or [""]
    try:
        if word in ("hold", "stop") and not rest:
            return Reaction.hold() if word == "hold" else Reaction.stop()
        if word == "retract" and len(rest) in (1, 2):
            return Reaction.retract(*map(float, rest))
        if word == "law" and len(rest) == 1:
            return Reaction.law(rest[0])
        if word == "wrench" and len(rest) in (6, 7):
            return Reaction.wrench([float(x) for x in rest[:6]], *rest[6:])  # type: ignore[arg-type]
    except ValueError:
        pass
    raise Refused(f"{str(what)[:40]!r} is no reaction; write {FORMS}")
