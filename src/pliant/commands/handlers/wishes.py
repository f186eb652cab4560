"""What the commands taken since the last tick ask of the next one."""

from collections.abc import Callable
from typing import Any

import numpy as np

from pliant.tick import Rows


class Pending(dict[str, Any]):
    """Columns by name, with the values they will have; all others stay as they are."""

    def now(self, row: Rows, name: str) -> Any:
        """A column as it will be at the next tick."""
        return self[name] if name in self else row[name][0]

    def state(self, row: Rows) -> int:
        """The state then; as a number of NumPy's it would take long to compare with `State`."""
        return int(self.now(row, "state"))

    def law(self, row: Rows) -> int:
        """The index of the law then."""
        return int(self.now(row, "law"))

    def ref_kind(self, row: Rows) -> int:
        """What moves the reference then."""
        return int(self.now(row, "ref_kind"))

    def after(self, row: Rows) -> Callable[[str], Any]:
        """The columns as they will be, by name, each in its full shape."""
        return lambda name: np.broadcast_to(self.now(row, name), row[name][0].shape)

    def write(self, tick: Rows) -> None:
        """Put them into a tick."""
        for name, value in self.items():
            tick[name][0] = value
