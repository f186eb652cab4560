"""Waiting for the force sensor to be zeroed, in the arm's own time."""

from dataclasses import dataclass

from pliant.errors import Refused
from pliant.stages.wrench.config import WrenchConfig
from pliant.tick import Rows

_PATIENCE = 1.0
"""How much longer than its samples a zeroing may take, s."""


@dataclass(frozen=True, kw_only=True)
class Zeroing:
    """A zeroing that is asked for right after it was made.

    Attributes:
        request: The number of the request, as `zero_seen` will say it.
        overdue: The arm's time at which it should have ended, s.
    """

    request: int
    overdue: float

    @classmethod
    def after(cls, row: Rows, config: WrenchConfig) -> "Zeroing":
        """The zeroing that a `ZERO` given after this row begins."""
        return cls(
            request=row["zero_seq"].item() + 1,
            overdue=row["time"].item() + config.zero_time + _PATIENCE,
        )

    def is_done(self, row: Rows) -> bool:
        """Whether the sensor is zeroed.

        Raises:
            Refused: The zeroing was interrupted, or is overdue.
        """
        left = row["zero_left"].item()
        if row["zero_seen"].item() == self.request and left <= 0:
            if left < 0:
                raise Refused("zeroing was interrupted: the tool moved, or the sensor failed")
            return True
        if row["time"].item() >= self.overdue:
            raise Refused("the sensor was not zeroed in time")
        return False
