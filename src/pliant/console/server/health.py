"""Rate and lateness of the loop, from the ticks of the last second."""

import asyncio
import time
from collections import deque

import numpy as np

from pliant.tick import Rows, new_rows
from pliant.tick_column import copy_rows

_WINDOW = 1.0


class Health:
    """Rate and lateness over the last second, and the newest tick.

    Attributes:
        row: The newest tick.
        seen: Whether a tick has come.
    """

    def __init__(self, n: int) -> None:
        self.row = new_rows(n)
        self.seen = False
        self._last = time.monotonic()
        self._batches: deque[tuple[float, np.ndarray]] = deque()
        self._arrived = asyncio.Event()

    def take(self, rows: Rows) -> None:
        """Take in a batch of ticks."""
        now = time.monotonic()
        if rows.size:
            self.row[0] = rows[-1]
            self.seen = True
            self._last = now
            self._batches.append((now, rows["lateness"].copy()))
            self._arrived.set()
            self._arrived = asyncio.Event()
        while self._batches and self._batches[0][0] < now - _WINDOW:
            self._batches.popleft()

    async def next_row(self) -> Rows:
        """Wait for the next batch of ticks; returns a copy of its newest tick."""
        await self._arrived.wait()
        return copy_rows(self.row)

    @property
    def silence(self) -> float:
        """Time since the last tick came, s."""
        return time.monotonic() - self._last

    @property
    def rate(self) -> float:
        """Ticks a second."""
        if len(self._batches) < 2:
            return 0.0
        # the ticks of the first batch were taken before the window begins
        (first, before), (last, _) = self._batches[0], self._batches[-1]
        count = sum(late.size for _, late in self._batches) - before.size
        return count / max(last - first, 1e-3)

    def lateness(self) -> tuple[float, float, float]:
        """Median, 99th percentile and maximum of the lateness, s."""
        if not self._batches:
            return 0.0, 0.0, 0.0
        late = np.concatenate([late for _, late in self._batches])
        p50, p99, top = np.percentile(late, (50, 99, 100)).tolist()
        return p50, p99, top
