"""`arm.tick`: a tick whose columns are attributes, that prints itself and knows its columns."""

from functools import cache
from typing import Any, cast

import numpy as np

from pliant.api.python_form import no_such_column
from pliant.reasons import State
from pliant.tick import Rows, Tick


class TickRecord(np.record):
    """A row of the table of ticks."""

    def __getattribute__(self, name: str) -> Any:
        try:
            return super().__getattribute__(name)
        except AttributeError:
            if name.startswith("__"):
                raise
            raise no_such_column(name, self.dtype.names or ()) from None

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


def tick_view(rows: Rows) -> Tick:
    """The first of some rows as a record of its own kind, on the same memory."""
    return cast(Tick, rows.view(_dtype(rows.dtype))[0])


@cache
def _dtype(dtype: np.dtype) -> np.dtype:
    return np.dtype((TickRecord, dtype))
