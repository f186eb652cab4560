"""A simulated hand that pushes the tool as scheduled, or holds it like a human arm."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from pliant.errors import ConfigError
from pliant.numerics.spatial import Array
from pliant.sim.guiding_hand import GuidingHand, HandImpedance, Path

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
    """Pushes the tool as scheduled; simultaneous pushes add up. It may also hold the tool."""

    def __init__(self, now: Callable[[], float]) -> None:
        """Make an idle hand.

        Args:
            now: Gives the arm's time, s.
        """
        self._now = now
        self._pushes: list[Push] = []
        self._touching = False
        self._grasp: tuple[HandImpedance, Path] | None = None
        self._guiding: GuidingHand | None = None
        self._pushed_W, self._force = np.zeros(6), np.zeros(3)

    def __repr__(self) -> str:
        pushes = f"{len(self._pushes)} push{'es' * (len(self._pushes) > 1)}" * bool(self._pushes)
        doing = ", ".join(filter(None, [pushes, "holds the tool" * self.holds]))
        return f"<Hand: {doing or 'idle'}>"

    @property
    def idle(self) -> bool:
        """Whether no push is scheduled or active, and the tool is not held."""
        return not (self._pushes or self._touching or self._grasp)

    @property
    def holds(self) -> bool:
        """Whether it holds the tool."""
        return self._grasp is not None

    def hold(self, path: Path | None = None, **impedance: float) -> None:
        """Take hold of the tool with the impedance of a human arm, until `release`.

        Args:
            path: Gives the intended position by the arm's time, s: three numbers in W, m. Only
                its change counts, from where the tool is taken hold of. By default it rests.
            **impedance: `mass`, kg, `stiffness`, N/m, `damping`, N·s/m.

        Raises:
            ConfigError: The path is no such function, or the hand cannot be.
        """
        path = path or (lambda _: np.zeros(3))
        _check_path(path, self._now())
        self._grasp = HandImpedance(**impedance), path
        self._guiding = None

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
        """End every push, cancel scheduled ones, and let go."""
        self._pushes.clear()
        self._grasp = self._guiding = None

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
        self._touching = self._touching or self.holds
        self._pushed_W[:] = w_W

    def guide(self, dt: float, p_WT: Array, w_W: Array) -> None:
        """In every physics step while it holds the tool: add its force to the pushes.

        Args:
            dt: The physics step, s.
            p_WT: Position of the TCP.
            w_W: Out: the wrench on the tool, six numbers.
        """
        if self._grasp is None:
            return
        if self._guiding is None:
            self._guiding = GuidingHand(*self._grasp, self._now(), p_WT)
        w_W[:] = self._pushed_W
        self._guiding.step(dt, p_WT, self._force)
        w_W[:3] += self._force


def _check_path(path: Path, now: float) -> None:
    """Refuse a path that would fail while the arm runs."""
    position = path(now) if callable(path) else path
    try:
        good = callable(path) and np.asarray(position, dtype=np.float64).shape == (3,)
        good = good and bool(np.isfinite(position).all())
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ConfigError(
            "the path of a hand is a function of the arm's time that gives x y z, m, as in "
            f"lambda time: [0, 0.05 * time, 0], not {'one that gives ' * callable(path)}"
            f"{str(position)[:60]}"
        )
