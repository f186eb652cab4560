"""A hand that holds the tool with the impedance of a human arm.

The hand is a mass m on the spring k and the damper d of the arm behind it, which moves along the
intended path x_d(t); flesh connects it to the tool:

    m·ẍ_h = k·(x_d − x_h) + d·(ẋ_d − ẋ_h) − f,   f = k_f·(x_h − x) + d_f·(ẋ_h − ẋ)

f acts on the tool at the TCP. Human arms have 1 to 3 kg, 200 to 1,500 N/m and 10 to 60 N·s/m at
the hand.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from pliant.errors import ConfigError
from pliant.numerics.spatial import Array

Path = Callable[[float], Array]
"""The intended position of the hand in W, m, by the arm's time, s."""

FLESH = 2e4
"""Stiffness of the grip, N/m: far above that of the arm behind it."""

_FLESH_DAMPING_RATIO = 0.5


@dataclass(frozen=True, kw_only=True)
class HandImpedance:
    """The impedance of a human arm at the hand.

    Attributes:
        mass: kg.
        stiffness: N/m.
        damping: N·s/m.
    """

    mass: float = 2.0
    stiffness: float = 500.0
    damping: float = 30.0

    def __post_init__(self) -> None:
        values = (self.mass, self.stiffness, self.damping)
        if not all(0.0 <= value <= 0.5 * FLESH for value in values) or self.mass < 0.2:
            raise ConfigError(
                "a hand has a mass of at least 0.2 kg, and a stiffness and damping of 0 to 10,000, "
                f"not {self.mass} kg, {self.stiffness} N/m, {self.damping} N·s/m"
            )


class GuidingHand:
    """One hand on the tool, from when it takes hold."""

    def __init__(self, impedance: HandImpedance, path: Path, start: float, p_WT: Array) -> None:
        """Take hold of the tool, at rest.

        Args:
            impedance: Mass, spring and damper.
            path: Where the hand is going, relative to where it takes hold.
            start: The arm's time, s.
            p_WT: Position of the TCP in W.
        """
        self._impedance, self._path, self._time = impedance, path, start
        self._origin = np.array(p_WT) - np.asarray(path(start), dtype=np.float64)
        self._x, self._v, self._tool = np.array(p_WT), np.zeros(3), np.array(p_WT)
        # in series with the flesh it has the configured stiffness
        self._stiffness = impedance.stiffness / (1.0 - impedance.stiffness / FLESH)
        self._grip = 2.0 * _FLESH_DAMPING_RATIO * sqrt(FLESH * impedance.mass)

    def step(self, dt: float, p_WT: Array, out: Array) -> None:
        """Advance by one physics step, and write the force on the tool.

        Args:
            dt: The step, s.
            p_WT: Position of the TCP in W.
            out: Out: the force in W, N.
        """
        hand = self._impedance
        v_tool, self._tool = (p_WT - self._tool) / dt, np.array(p_WT)
        force = FLESH * (self._x - p_WT) + self._grip * (self._v - v_tool)
        goal = self._origin + np.asarray(self._path(self._time), dtype=np.float64)
        after = self._origin + np.asarray(self._path(self._time + dt), dtype=np.float64)
        v_goal = (after - goal) / dt
        pull = self._stiffness * (goal - self._x) + hand.damping * (v_goal - self._v)
        self._v += dt / hand.mass * (pull - force)
        self._x += dt * self._v
        self._time += dt
        out[:] = force
