"""The history: the last ticks, by column name."""

from collections import deque
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from pliant.errors import Refused, UnknownNameError, warn_user
from pliant.loop.history_views import index_text, plot_columns, to_pandas
from pliant.numerics.kernels import Direct, kernel
from pliant.ring.ring import Line
from pliant.tick import Rows, tick_dtype

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

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
        self._told = False
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
        times = self._in_order(self._rows["time"])
        span = f", {times[0]:.3f} to {times[-1]:.3f} s," if len(times) else ""
        cut = "; what was before is dropped" if self.dropped else ""
        return f"<History: {len(self)} ticks{span} of {len(self.columns)} columns{cut}>"

    @property
    def dropped(self) -> int:
        """How many ticks are no longer remembered."""
        return max(0, self._count - self._depth)

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
            Refused: It is no name.
        """
        names = self._rows.dtype.names or ()
        if not isinstance(name, str):
            raise Refused(
                f'the history is by column, not by tick: history["q"] has a row per tick, and '
                f'history["q"][{index_text(name)}] is part of it; arm.tick is the last tick'
            )
        if name not in names:
            raise UnknownNameError("column", name, list(names))
        self._tell_dropped()
        return self._in_order(self._rows[name])

    def to_pandas(self, *columns: str) -> "pandas.DataFrame":
        """The remembered ticks as a pandas table, by time, one column per element: `w_T_2`.

        Args:
            *columns: The columns; all if none are given.

        Raises:
            MissingExtra: pandas is not installed.
            UnknownNameError: There is no such column.
        """
        return to_pandas(self, columns)

    def plot(self, *columns: str, since: float = -inf, to: float = inf) -> "Figure":
        """Plot columns over time; those of the same unit share a panel.

        Args:
            *columns: The columns, as in `plot("w_T", "w_desired_T")`.
            since: Time from which on they are plotted, s.
            to: Time up to which they are, s.

        Returns:
            The figure; `figure.savefig(file)` saves it.

        Raises:
            MissingExtra: matplotlib is not installed.
            UnknownNameError: There is no such column.
        """
        return plot_columns(self, columns, since, to)

    def since(self, time: float) -> Rows:
        """The remembered ticks from a time on, as one structured array."""
        cut = 0 if self._count <= self._depth else self._count % self._depth
        older, newer = self._rows[cut : self._count], self._rows[:cut]
        if len(older) and time < older["time"][0]:
            self._tell_dropped()
        parts = [rows[np.searchsorted(rows["time"], time) :] for rows in (older, newer)]
        # as bytes, because NumPy copies column by column
        return np.concatenate([part.view(np.uint8) for part in parts]).view(self._rows.dtype)

    def _tell_dropped(self) -> None:
        """Say once that the past does not reach back to the start."""
        if self.dropped and not self._told:
            self._told = True
            dt = self._rows["dt"][0]
            warn_user(
                f"the history holds the last {self._depth * dt:g} s; the {self.dropped * dt:.1f} s "
                "before are dropped: Arm(…, history=seconds) holds more, pliant.record(arm, file) "
                "everything"
            )

    def _in_order(self, column: np.ndarray) -> np.ndarray:
        if self._count <= self._depth:
            return column[: self._count].copy()
        first = self._count % self._depth
        return np.concatenate([column[first:], column[:first]])


@kernel
def store_row(tick: Rows, index: int, out: Rows) -> None:
    """Copy a whole tick; NumPy would copy field by field, which takes as long as a stage."""
    out[index] = tick[0]
