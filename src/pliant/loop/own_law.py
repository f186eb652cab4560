"""Laws of a user's own: they work on copies, of which only the law's columns are taken back."""

import numpy as np

from pliant.laws import Law
from pliant.laws.law_base import rest
from pliant.tick import Rows, new_rows, stage_span

_ASKED = ("X_WT_cmd", "v_cmd_T", "tau_law")
"""What the stages after a law build on."""


class OwnLaw:
    """Runs a law that cannot touch what others have written, whatever it does to its rows."""

    def __init__(self, law: Law, n: int) -> None:
        """Run a law on an arm with n joints."""
        self._law = law
        self._prev, self._tick = new_rows(n), new_rows(n)
        self._bytes = self._prev.view(np.uint8), self._tick.view(np.uint8)
        self._start, self._end = stage_span("law", n)

    def __call__(self, prev: Rows, tick: Rows) -> None:
        """Run the law and write its columns; those that it leaves alone get resting values."""
        rest(tick)
        before, now = self._bytes
        before[:], now[:] = prev.view(np.uint8), tick.view(np.uint8)
        self._law.update(self._prev, self._tick)
        for name in _ASKED:
            if not np.isfinite(self._tick[name]).all():
                raise FloatingPointError(f"{name} is not finite")
        own = slice(self._start, self._end)
        tick.view(np.uint8)[own] = now[own]
