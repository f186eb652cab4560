"""Values of a swept parameter: one, some, or a range."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any

import numpy as np

from pliant.errors import ConfigError
from pliant.tasks.trial_task import Law


@dataclass(frozen=True, kw_only=True)
class Range:
    """All values from low to high."""

    low: float
    high: float

    def draw(self, rng: np.random.Generator, law: Law) -> float:
        """A random value: even, or as the radius of a point that is even over a disc."""
        share = float(rng.random())
        if law == "uniform":
            return self.low + share * (self.high - self.low)
        return sqrt(self.low**2 + share * (self.high**2 - self.low**2))

    def __str__(self) -> str:
        return f"{self.low:g}..{self.high:g}"


@dataclass(frozen=True, kw_only=True)
class Choices:
    """A few values; more than one make a grid."""

    values: tuple[float, ...]

    def __str__(self) -> str:
        return ",".join(f"{value:g}" for value in self.values)


Values = Range | Choices


def parse_values(given: Any, name: str) -> Values:
    """Values as they are given: 5, "5", "1,2,5", "1..5", (1, 5) for a range, [1, 2, 5].

    Raises:
        ConfigError: They are none of these.
    """
    try:
        if isinstance(given, Range | Choices):
            return given
        if isinstance(given, str):
            return _parse_text(given)
        if isinstance(given, tuple) and len(given) == 2:
            return _range(*given)
        if isinstance(given, Sequence | np.ndarray):
            return _choices([float(value) for value in given])
        return _choices([float(given)])
    except (TypeError, ValueError):
        raise ConfigError(
            f"{name}: give a number, a range as in 0..20, or values as in 1,2,5, not {given!r}"
        ) from None


def _parse_text(text: str) -> Values:
    low, dots, high = text.partition("..")
    if dots:
        return _range(float(low), float(high))
    return _choices([float(part) for part in text.split(",")])


def _range(low: float, high: float) -> Range:
    if not (isfinite(low) and isfinite(high) and low <= high):
        raise ValueError
    return Range(low=float(low), high=float(high))


def _choices(values: list[float]) -> Choices:
    if not values or not all(isfinite(value) for value in values):
        raise ValueError
    return Choices(values=tuple(values))
