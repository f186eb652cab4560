"""The surface that a tool slides on, from where the tool was and how it was pushed.

A surface of stiffness k gives way to the tool, and friction drags it along: where the tool is on it
is x + (f − f₀)/k, with x the position of the tool and f the force on it. A tool that sticks stands
still on the surface, though it moves. In the plane of the motion, s is the way on the surface and h
its height. A parabola

    h = c₀ + c₁·(s − s₀) + ½·c₂·(s − s₀)²

is fitted to the last millimetres, with c₁ and c₂ expected to be about zero until the points say
otherwise. It is read ahead of the tool, where the arm has been sent already. Across the motion the
slope follows from the direction of the force: friction acts along the motion only.
"""

from collections import deque
from math import exp

import numpy as np

from pliant.numerics.spatial import Array

_WINDOW = 0.008
"""Way over which old points lose their weight, m."""
_MOST = 200
_SPACING, _FIRST_SPACING = 5e-5, 1e-5
"""Way between two points, m; at the start they are closer."""
_NOISE, _FORCE_NOISE = 5e-6, 0.75
"""Uncertainty of a height, m, and of a force, N."""
_SLOPE, _CURVATURE = 0.3, 4.0
"""Expected size of c₁, and of c₂, 1/m."""
_DENSER = 0.05
_CAREFUL = 0.7
"""Share of the stiffness that is surely there. With too high a stiffness the tool would take its
own motions for the shape of the surface, and follow them; or take itself for sliding while it
sticks."""
_ACROSS_WAY = 0.005
"""Way over which the slope across is averaged, m."""
_LEAST_FORCE = 0.5
_STEEPEST = 1.0


class SurfaceEstimate:
    """The surface around a tool that moves along a direction.

    Attributes:
        way: How far the tool has slid, m.
    """

    def __init__(self, up: Array, along: Array, stiffness: float) -> None:
        """Begin where the first tick finds the tool.

        Args:
            up: Direction against which the tool is pressed, a unit vector in W.
            along: Direction of the motion, a unit vector at right angles to it.
            stiffness: Stiffness of the surface, N/m.
        """
        self.up, self.along, self._stiffness = up, along, stiffness
        self.aside = np.cross(up, along)
        self._start: tuple[Array, Array] | None = None
        self._points: deque[tuple[float, float]] = deque(maxlen=_MOST)
        self._across = 0.0
        self._fit = np.zeros(3)
        self._expected = 0.0
        self.way = 0.0

    def take_over(self, other: "SurfaceEstimate") -> None:
        """Expect the slopes that were found in another direction, until points say otherwise."""
        normal = other.normal(other.way)
        height = float(normal @ self.up)
        self._expected = -float(normal @ self.along) / height
        self._across = -float(normal @ self.aside) / height

    def add(self, place: Array, force: Array) -> None:
        """Add what a tick has measured.

        Args:
            place: Position of the tool in W, m.
            force: Force of the surface on the tool in W, N.
        """
        if self._start is None:
            self._start = np.array(place), np.array(force)
        moved = place - self._start[0]
        given_way = (force - self._start[1]) / (_CAREFUL * self._stiffness)
        way = float((moved + given_way) @ self.along)
        if way < self.way + min(_SPACING, _FIRST_SPACING + _DENSER * self.way):
            return
        step, self.way = way - self.way, way
        self._points.append((way, float((moved + given_way) @ self.up)))
        normal = float(force @ self.normal(way))
        if normal > _LEAST_FORCE:
            slope = -float(force @ self.aside) / normal
            share = 1.0 - exp(-step / _ACROSS_WAY)
            self._across += share * (max(-_STEEPEST, min(_STEEPEST, slope)) - self._across)
        self._refit()

    def slope(self, way: float) -> float:
        """Slope along the motion at a place on it."""
        slope = self._expected + float(self._fit[1] + self._fit[2] * (way - self.way))
        return max(-_STEEPEST, min(_STEEPEST, slope))

    def normal(self, way: float) -> Array:
        """Direction out of the surface at a place on the motion, a unit vector in W."""
        normal = self.up - self.slope(way) * self.along - self._across * self.aside
        return normal / np.linalg.norm(normal)

    def tangent(self, way: float) -> Array:
        """Direction of the motion on the surface, a unit vector in W."""
        tangent = self.along + self.slope(way) * self.up
        return tangent / np.linalg.norm(tangent)

    def _refit(self) -> None:
        """Fit the parabola to the points, with what is expected of its slope and curvature."""
        points = np.array(self._points)
        s = points[:, 0] - self.way
        weight = np.exp(s / _WINDOW)
        basis = np.stack((np.ones_like(s), s, 0.5 * s * s), axis=1)
        noise = _NOISE + _FORCE_NOISE / self._stiffness
        expected = np.diag((0.0, (noise / _SLOPE) ** 2, (noise / _CURVATURE) ** 2))
        normal = basis.T @ (weight[:, None] * basis) + expected
        heights = points[:, 1] - self._expected * s
        self._fit = np.linalg.solve(normal, basis.T @ (weight * heights))
