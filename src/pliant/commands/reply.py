"""The answer to a command."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Reply:
    """The answer to a command that was accepted.

    Attributes:
        text: What was done, in words; says so where a value was clamped.
        applied: The value that took effect, where there is one.
    """

    text: str
    applied: Any = None
