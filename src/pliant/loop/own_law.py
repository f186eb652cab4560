"""Laws of a user's own: they work on copies, of which only the law's columns are taken back."""

import numpy as np

from pliant.errors import PliantError
from pliant.laws import Law
from pliant.laws.law_base import rest
from pliant.tick import Rows, columns, new_rows, stage_span

_LARGEST = 1e6
"""Larger numbers, in SI units, are a mistake; later stages would overflow. A state may be any."""

_NUMBERS = [name for name, declared, kind in columns() if declared.stage == "law" and kind != int]


class OwnLaw:
    """Runs a law that cannot touch what others have written, whatever it does to its rows."""

    def __init__(self, law: Law, n: int) -> None:
        """Run a law on an arm with n joints."""
        self._law = law
        self._prev, self._tick = new_rows(n), new_rows(n)
        self._bytes = self._prev.view(np.uint8), self._tick.view(np.uint8)
        self._start, self._end = stage_span("law", n)
        self._numbers = [(name, self._tick[name]) for name in _NUMBERS]

    def __call__(self, prev: Rows, tick: Rows) -> None:
        """Run the law and write its columns; those that it leaves alone get resting values.

        Raises:
            PliantError: It wrote a number that is not finite, or absurd.
        """
        rest(tick)
        before, now = self._bytes
        before[:], now[:] = prev.view(np.uint8), tick.view(np.uint8)
        self._law.update(self._prev, self._tick)
        self._check()
        own = slice(self._start, self._end)
        tick.view(np.uint8)[own] = now[own]

    def _check(self) -> None:
        for name, values in self._numbers:
            largest = np.abs(values).max()
            # written so that NaN is refused
            if not largest <= (np.finfo(float).max if name == "law_state" else _LARGEST):
                what = f"beyond ±{_LARGEST:g}" if np.isfinite(largest) else "not a number"
                raise PliantError(f"law {self._law.name}: {name} is {what}: {largest:g}")
