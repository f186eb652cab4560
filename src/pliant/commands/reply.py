"""The reply to a command, as text for people and as a value for programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_WARNING = "; warning: "

_WRENCH_AXES = ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz")


@dataclass(frozen=True, kw_only=True)
class Reply:
    """The reply to an accepted command.

    Attributes:
        text: What was done, in words; it says where a value was clamped.
        value: What took effect, or what was asked for; None if there is no such value.
    """

    text: str
    value: Any = None

    @property
    def warning(self) -> str:
        """What the text warns of; empty if of nothing."""
        return self.text.partition(_WARNING)[2]


def warned(warning: str) -> str:
    """A warning as the end of a reply's text; empty if there is none."""
    return f"{_WARNING}{warning}" if warning else ""


def clamp(asked: Sequence[float], limit: Sequence[float]) -> list[float]:
    """Each value within plus and minus its limit."""
    return [max(-most, min(most, one)) for one, most in zip(asked, limit, strict=True)]


def clamped(asked: Sequence[float], applied: Sequence[float]) -> str:
    """The axes of a wrench that were clamped, as the end of a reply's text."""
    each = zip(_WRENCH_AXES, asked, applied, strict=True)
    return "".join(f"; {axis} clamped to {got:g}" for axis, wanted, got in each if wanted != got)


def numbers(values: Any) -> str:
    """Numbers as people read them."""
    return " ".join(f"{value:.6g}" for value in values)
