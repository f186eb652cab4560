"""Wishes: what the commands decided since the last tick ask of the next one."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from pliant.numerics.byte_copy import copy_bytes
from pliant.numerics.kernels import Row, kernel
from pliant.tick import IntArray, Rows, Tick, columns, new_rows, tick_dtype
from pliant.tick_column import copy_rows

_COLUMNS = {
    name: place
    for place, name in enumerate(
        name for name, declared, _ in columns() if declared.stage == "supervisor"
    )
}
"""The supervisor's columns, and their places in the mask."""


class WishTable:
    """The wishes as the supervisor's kernel takes them.

    Attributes:
        any: Whether anything is asked for.
        new_limits: Whether the limits of safety changed, so that a trip is judged again.
        mask: For each of the supervisor's columns, whether it is asked for.
        start: First byte of each of these columns in a row.
        end: The byte after its last one.
        row: A tick with the values asked for.
    """

    any: int
    new_limits: int
    mask: IntArray
    start: IntArray
    end: IntArray
    row: Row[Tick]


@cache
def _table_dtype(n: int) -> np.dtype:
    count = (len(_COLUMNS),)
    fields = [("any", np.int64), ("new_limits", np.int64)]
    fields += [(name, np.int64, count) for name in ("mask", "start", "end")]
    fields += [("row", tick_dtype(n), (1,))]
    return np.dtype((np.record, np.dtype(fields, align=True)))


class Wishes:
    """Columns of the supervisor with the values they will have; all others stay as they are.

    Attributes:
        table: The same for the kernel.
    """

    def __init__(self, n: int) -> None:
        """Make wishes for an arm with n joints: none yet."""
        self.table = np.zeros(1, _table_dtype(n))
        self.table["row"] = new_rows(n)
        self._row: Rows = self.table["row"][0]
        self._mask: np.ndarray = self.table["mask"][0]
        for name, place in _COLUMNS.items():
            kind, start = self._row.dtype.fields[name][:2]  # type: ignore[index]
            self.table["start"][0, place] = start
            self.table["end"][0, place] = start + kind.itemsize
        self._any = False

    def __setitem__(self, name: str, value: Any) -> None:
        """Ask for a value of a column."""
        self._row[name][0] = value
        self._mask[_COLUMNS[name]] = 1
        self._ask()

    def __getitem__(self, name: str) -> Any:
        """The value asked for."""
        return self._row[name][0].copy()

    def __contains__(self, name: str) -> bool:
        return bool(self._mask[_COLUMNS[name]])

    def update(self, values: Mapping[str, Any]) -> None:
        """Ask for the values of several columns."""
        for name, value in values.items():
            self[name] = value

    def judge_again(self) -> None:
        """Let safety judge again, by new limits, what tripped the old ones."""
        self.table["new_limits"] = 1
        self._ask()

    @property
    def new_limits(self) -> bool:
        """Whether the limits of safety change."""
        return bool(self.table["new_limits"][0])

    def _ask(self) -> None:
        self.table["any"] = 1
        self._any = True

    def clear(self) -> None:
        """Forget all: they were taken over."""
        if self._any:
            for name in ("any", "new_limits", "mask"):
                self.table[name] = 0
            self._any = False

    def copy(self) -> np.ndarray:
        """What is asked for now, to come back to."""
        return copy_rows(self.table)

    def restore(self, table: np.ndarray) -> None:
        """Ask again for what was asked for when a copy was made."""
        self.table[:] = table
        self._any = bool(table["any"][0])

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
        """A lookup of columns at the next tick by name."""
        return lambda name: self.now(row, name)


@kernel
def take_over(wishes: Row[WishTable], tick: Row[Tick]) -> None:
    """Write what is asked for into a tick."""
    w = wishes[0]
    if w.any != 0:
        for i in range(w.mask.shape[0]):
            if w.mask[i] != 0:
                copy_bytes(w.row[:], tick, w.start[i], w.end[i])
