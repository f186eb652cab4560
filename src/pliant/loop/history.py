"""The history: the last ticks, by column name."""

from collections import deque

import numpy as np

from pliant.errors import UnknownNameError
from pliant.numerics.kernels import Direct, kernel
from pliant.ring.ring import Line
from pliant.tick import Rows, tick_dtype

_LINES = 20_000


class History:
    """A ring of the most recent ticks.

    `history["w_T"]` is an array with one row per tick, oldest first; a copy, so it stays.

    Attributes:
        lines: Lines that belong to them, as in the ring.
    """

    def __init__(self, n: int, depth: int) -> None:
        self._rows = np.zeros(depth, tick_dtype(n))
        self._depth = depth
        self._store = Direct(store_row)
        self._count = 0
        self.lines: deque[Line] = deque(maxlen=_LINES)

    def publish(self, tick: Rows) -> None:
        """Append a finished tick, dropping the oldest when full."""
        self._store.call(tick, self._count % self._depth, self._rows)
        self._count += 1

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Append a line that belongs to a tick, dropping the oldest when full."""
        self.lines.append(Line(tick=tick, kind=kind, text=text))

    def close(self) -> None:
        """Nothing to release."""

    def __repr__(self) -> str:
        return f"<History: {len(self)} ticks of {len(self.columns)} columns>"

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._rows.dtype.names or ())

    def __len__(self) -> int:
        return min(self._count, self._depth)

    def __getitem__(self, name: str) -> np.ndarray:
        """The column over all remembered ticks.

        Raises:
            UnknownNameError: There is no such column; the error lists the valid names.
        """
        names = self._rows.dtype.names or ()
        if name not in names:
            raise UnknownNameError("column", name, list(names))
        return self._in_order(self._rows[name])

    def since(self, time: float) -> Rows:
        """The remembered ticks from a time on, as one structured array."""
        rows = self._in_order(self._rows)
        return rows[rows["time"] >= time]

    def _in_order(self, column: np.ndarray) -> np.ndarray:
        if self._count <= self._depth:
            return column[: self._count].copy()
        first = self._count % self._depth
        return np.concatenate([column[first:], column[:first]])


@kernel
def store_row(tick: Rows, index: int, out: Rows) -> None:
    """Copy a whole tick; NumPy would copy field by field, which takes as long as a stage."""
    out[index] = tick[0]
