"""What a scan felt: the plane of the face, and where the peg's edge dipped below it."""

from dataclasses import dataclass

import numpy as np

from pliant.numerics.spatial import Array

_ROUNDS = 30
_OUTLIER = 3e-5
"""Depth below the plane, m, at which a point has half its weight: it may be over the hole."""

_DEEP = 0.5
"""Share of the largest depth above which a point counts for the centre of the dip."""


@dataclass(frozen=True, kw_only=True)
class Scan:
    """Heights of the peg's lowest point on a circle.

    Attributes:
        angles: Angles of the points, rad.
        heights: Their heights, m.
    """

    angles: Array
    heights: Array

    def plane(self) -> "Plane":
        """The plane of the face, as far as most points agree on one."""
        table = _columns(self.angles)
        weights, plane = np.ones_like(self.heights), np.zeros(3)
        for _ in range(_ROUNDS):
            root = np.sqrt(weights)
            plane[:] = np.linalg.lstsq(table * root[:, None], self.heights * root, rcond=None)[0]
            below = np.minimum(self.heights - table @ plane, 0.0)
            weights = 1.0 / (1.0 + (below / _OUTLIER) ** 2) ** 2
        return Plane(plane)

    def dip(self, plane: "Plane") -> tuple[float, float]:
        """Angle and depth of the deepest place below a plane, rad and m."""
        below = plane.height(self.angles) - self.heights
        above_least = below - below.min()
        weights = np.maximum(above_least - _DEEP * above_least.max(), 0.0) + 1e-12
        middle = float(np.angle(weights @ np.exp(1j * self.angles))) % (2.0 * np.pi)
        return middle, float(below.max())


class Plane:
    """The height of a face along the circle of a scan."""

    def __init__(self, coefficients: Array) -> None:
        self._coefficients = coefficients

    @property
    def slope(self) -> Array:
        """Its rise along x and y over the radius of the circle, m."""
        return self._coefficients[1:]

    def height(self, angles: Array | float) -> Array:
        """Its height at these angles, m."""
        return _columns(np.asarray(angles)) @ self._coefficients


def _columns(angles: Array) -> Array:
    return np.stack((np.ones_like(angles), np.cos(angles), np.sin(angles)), axis=-1)
