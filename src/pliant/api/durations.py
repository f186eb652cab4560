"""Durations that a program asks an arm to wait for."""

from math import inf, isnan
from numbers import Real

from pliant.errors import Refused


def check_timeout(seconds: float, what: str = "a timeout") -> None:
    """Refuse what is no time from 0 on; it may be infinite.

    Args:
        seconds: The duration, s.
        what: What it is, in words.

    Raises:
        Refused: It is negative, or no number.
    """
    if not isinstance(seconds, Real) or isnan(seconds) or seconds < 0.0:
        raise Refused(f"{what} is a number of seconds, 0 or more, not {seconds!r}")


def check_duration(seconds: float, what: str = "a wait") -> None:
    """Refuse what is no finite time from 0 on.

    Raises:
        Refused: It is not.
    """
    check_timeout(seconds, what)
    if seconds == inf:
        raise Refused(f"{what} is a finite number of seconds, not {seconds!r}")
