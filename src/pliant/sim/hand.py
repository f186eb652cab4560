"""A simulated hand that pushes the tool as scheduled."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from pliant.errors import ConfigError
from pliant.numerics.spatial import Array

Axes = Literal["W", "T"]


@dataclass(frozen=True, kw_only=True)
class Push:
    """A wrench at the TCP while start ≤ time < end.

    Attributes:
        wrench: Force and torque on the tool, N and N·m.
        axes: Axes of the wrench: those of the world, or of the moving tool.
        start: The arm's time at the start, s.
        end: The arm's time at the end, s.
    """

    wrench: tuple[float, float, float, float, float, float]
    axes: Axes
    start: float
    end: float


class Hand:
    """Pushes the tool as scheduled; simultaneous pushes add up."""

    def __init__(self, now: Callable[[], float]) -> None:
        """Make an idle hand.

        Args:
            now: Gives the arm's time, s.
        """
        self._now = now
        self._pushes: list[Push] = []
        self._touching = False

    @property
    def idle(self) -> bool:
        """Whether no push is scheduled or active."""
        return not self._pushes and not self._touching

    def schedule(
        self,
        wrench: ArrayLike,
        *,
        axes: Axes = "W",
        start: float | None = None,
        duration: float = inf,
    ) -> None:
        """Schedule a push.

        Args:
            wrench: Force and torque at the TCP, N and N·m.
            axes: "W" or "T".
            start: The arm's time at the start, s; now if None.
            duration: Duration, s; if infinite, until `release`.
        """
        values = np.asarray(wrench, dtype=np.float64)
        if values.shape != (6,) or not np.isfinite(values).all():
            raise ConfigError(f"a push needs six finite numbers, got {wrench}")
        if axes not in ("W", "T"):
            raise ConfigError(f"a push has axes 'W' or 'T', got {axes!r}")
        start = self._now() if start is None else start
        if not (isfinite(start) and duration > 0.0):
            raise ConfigError(f"a push cannot begin at {start} s and last {duration} s")
        fx, fy, fz, tx, ty, tz = (float(v) for v in values)
        push = Push(wrench=(fx, fy, fz, tx, ty, tz), axes=axes, start=start, end=start + duration)
        self._pushes.append(push)

    def release(self) -> None:
        """End every push, and cancel scheduled ones."""
        self._pushes.clear()

    def apply(self, time: float, R_WT: Array, w_W: Array) -> None:
        """Write the sum of the pushes at a time, in W axes at the TCP.

        Args:
            time: The arm's time, s.
            R_WT: Orientation of the tool, 3×3.
            w_W: Out: the wrench on the tool, six numbers.
        """
        w_W[:] = 0.0
        self._pushes = [push for push in self._pushes if time < push.end]
        self._touching = False
        for push in self._pushes:
            if time < push.start:
                continue
            self._touching = True
            wrench = np.array(push.wrench).reshape(2, 3)
            w_W += (wrench @ R_WT.T if push.axes == "T" else wrench).ravel()
