"""One figure of the benchmark."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A measured value and its bound.

    Attributes:
        value: The value, in `unit`.
        unit: The unit; R is one Pinocchio call from Python.
        meaning: What was measured, for the table.
        bound: The largest value that passes; None if the figure is informational.
        microseconds: The value as a time, if it is a ratio of times.
    """

    value: float
    unit: str
    meaning: str
    bound: float | None = None
    microseconds: float | None = None

    @property
    def ok(self) -> bool:
        """Whether the value is within its bound."""
        return self.bound is None or self.value <= self.bound

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        values = {"value": round(self.value, 4), "unit": self.unit, "meaning": self.meaning}
        if self.microseconds is not None:
            values["microseconds"] = round(self.microseconds, 4)
        if self.bound is not None:
            values |= {"bound": self.bound, "ok": self.ok}
        return values
