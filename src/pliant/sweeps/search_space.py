"""The parameters that tuning may choose, as a cube of edge 1."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log
from typing import Any

import numpy as np

from pliant.errors import ConfigError
from pliant.numerics.spatial import Array
from pliant.sweeps.ranges import Range, parse_values
from pliant.tasks.trial_task import TrialTask

_DECADE = 10.0
"""Ratio of the ends of a range from which it is searched by its logarithm."""


@dataclass(frozen=True)
class SearchSpace:
    """Ranges by name.

    Attributes:
        ranges: The range of each parameter.
    """

    ranges: Mapping[str, Range]

    @classmethod
    def make(cls, given: Mapping[str, Any], task: TrialTask) -> "SearchSpace":
        """A space from ranges as they are given: "2..8", (2, 8).

        Raises:
            ConfigError: There is none, or one is no range.
            UnknownNameError: The task has no such parameter.
        """
        if not given:
            raise ConfigError("say what to choose, as in --search law.contact_peak=4..16")
        ranges = {}
        for name, values in given.items():
            parsed = parse_values(values, name)
            if not isinstance(parsed, Range) or parsed.low == parsed.high:
                raise ConfigError(f"{name}: give a range to search, as in 4..16, not {values}")
            for end in (parsed.low, parsed.high):
                task.check({name: end})
            ranges[name] = parsed
        return cls(ranges)

    @property
    def size(self) -> int:
        """Number of parameters."""
        return len(self.ranges)

    def values(self, point: Array) -> dict[str, float]:
        """The values at a point of the cube; beyond it, at its edge."""
        inside = np.clip(point, 0.0, 1.0)
        pairs = zip(self.ranges.items(), inside, strict=True)
        return {name: _value(one, float(share)) for (name, one), share in pairs}


def _value(one: Range, share: float) -> float:
    if one.low > 0.0 and one.high >= _DECADE * one.low:
        return one.low * exp(share * log(one.high / one.low))
    return one.low + share * (one.high - one.low)
