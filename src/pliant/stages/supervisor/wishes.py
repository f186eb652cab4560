"""Wishes: what the commands decided since the last tick ask of the next one."""

from collections.abc import Callable
from typing import Any

import numpy as np

from pliant.tick import Rows


class Wishes(dict[str, Any]):
    """Columns by name with the values they will have; all others are copied from the last row.

    Attributes:
        new_limits: The limits of safety changed, so what tripped the old ones is judged again.
    """

    def __init__(self, wishes: "Wishes | None" = None) -> None:
        super().__init__(wishes or {})
        self.new_limits = wishes is not None and wishes.new_limits

    @property
    def empty(self) -> bool:
        """Whether nothing is asked for."""
        return not self and not self.new_limits

    def now(self, row: Rows, name: str) -> Any:
        """A column as it will be at the next tick."""
        return self[name] if name in self else row[name][0]

    def state(self, row: Rows) -> int:
        """The state then, as an int: a NumPy number compares slowly with `State`."""
        return int(self.now(row, "state"))

    def law(self, row: Rows) -> int:
        """The index of the active law then."""
        return int(self.now(row, "law"))

    def ref_kind(self, row: Rows) -> int:
        """The kind of reference then."""
        return int(self.now(row, "ref_kind"))

    def after(self, row: Rows) -> Callable[[str], Any]:
        """A lookup of columns at the next tick by name, with wishes applied, in full shape."""
        return lambda name: np.broadcast_to(self.now(row, name), row[name][0].shape)

    def write(self, tick: Rows) -> None:
        """Write them into a tick."""
        for name, value in self.items():
            tick[name][0] = value
