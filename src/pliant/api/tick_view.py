"""`arm.tick`: a tick whose columns are attributes, that prints itself and knows its columns."""

from functools import cache
from typing import Any, cast

import numpy as np

from pliant.api.python_form import no_such_column
from pliant.reasons import State
from pliant.tick import Rows, Tick
from pliant.tick_column import copy_rows


class TickRecord(np.record):
    """A row of the table of ticks."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise no_such_column(name, self.dtype.names or ())

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(self.dtype.names or ())]

    def __repr__(self) -> str:
        force, torque = (" ".join(f"{value:.2f}" for value in part) for part in self._wrench())
        x, y, z = (f"{value:.4f}" for value in self["X_WT"][:3])
        return (
            f"<Tick {self['k']} at {self['time']:.3f} s, {State(int(self['state'])).name}: "
            f"tool at {x} {y} {z} m, w_T {force} N, {torque} N·m; "
            f"{len(self.dtype.names or ())} columns>"
        )

    __str__ = __repr__

    def _wrench(self) -> tuple[np.ndarray, np.ndarray]:
        return self["w_T"][:3], self["w_T"][3:]


class TickViews:
    """Rows as ticks, on the same memory.

    The rows of a loop come in turns, and NumPy takes as long for a view as a tick does: the views
    of the last two are kept.
    """

    def __init__(self) -> None:
        self._kept: list[tuple[Rows, Tick]] = []

    def of(self, row: Rows) -> Tick:
        """A row as a tick that changes with it."""
        for kept, tick in self._kept:
            if kept is row:
                return tick
        tick = cast(Tick, row.view(_dtype(row.dtype))[0])
        self._kept = [*self._kept[-1:], (row, tick)]
        return tick


def tick_copy(row: Rows) -> Tick:
    """A row as a tick of its own."""
    return cast(Tick, copy_rows(row, _dtype(row.dtype))[0])


@cache
def _dtype(dtype: np.dtype) -> np.dtype:
    return np.dtype((TickRecord, dtype))
