"""A peg that leans: the lowest point of its tip finds a hole from far away.

Upright, a peg drops into a hole only where its axis is within the clearance of the hole's. Leaning,
it touches a face with one point of its edge, and that point drops in wherever it is above the hole.
All vectors are in the axes of the hole's frame H, whose z axis points out of the face.
"""

from dataclasses import dataclass, field
from math import cos, sin

import numpy as np

from pliant.numerics.spatial import Array, quat_exp, quat_multiply, quat_rotate

_UPRIGHT = np.array([0.0, 1.0, 0.0, 0.0])
"""Orientation of the tool in H with the peg pointing down."""


@dataclass(frozen=True, kw_only=True)
class LeaningPeg:
    """A round peg that leans towards an angle about z.

    Attributes:
        radius: Radius of the peg, m.
        lean: Angle between the peg and the normal of the face, rad.
        slope: By how much the tool is tilted where the peg stands upright on the face: rise along
            x and y. The face may be tilted, or the peg in the gripper.
    """

    radius: float
    lean: float
    slope: Array = field(default_factory=lambda: np.zeros(2))

    def edge(self, angle: float) -> Array:
        """From the centre of the tip to its lowest point, m."""
        out = cos(self.lean) * direction(angle)
        out[2] = -sin(self.lean)
        return self.radius * self._tilted(out)

    def orientation(self, angle: float) -> Array:
        """Orientation of the tool, as a quaternion."""
        half = 0.5 * self.lean
        axis = np.array([cos(half), -sin(angle) * sin(half), cos(angle) * sin(half), 0.0])
        leaning, out = np.empty(4), np.empty(4)
        quat_multiply(axis, _UPRIGHT, leaning)
        quat_multiply(_tilt(self.slope), leaning, out)
        return out

    def pose(self, lowest: Array, angle: float) -> Array:
        """Pose of the tip's centre that brings its lowest point to a place."""
        return np.concatenate((lowest - self.edge(angle), self.orientation(angle)))

    def lowest(self, pose: Array) -> Array:
        """The lowest point of the tip at a pose of the tool, however it leans."""
        axis, down = np.empty(3), self._tilted(np.array([0.0, 0.0, -1.0]))
        quat_rotate(pose[3:], np.array([0.0, 0.0, 1.0]), axis)
        out = down - (down @ axis) * axis
        return pose[:3] + self.radius / float(np.linalg.norm(out)) * out

    def turning(self, angle: float, rate: float) -> Array:
        """Angular velocity while the angle changes at a rate, rad/s."""
        axis = sin(self.lean) * direction(angle)
        axis[2] = cos(self.lean)
        return rate * self._tilted(np.array([0.0, 0.0, 1.0]) - axis)

    def upright(self) -> Array:
        """Orientation of the tool with the peg upright on the face, as a quaternion."""
        out = np.empty(4)
        quat_multiply(_tilt(self.slope), _UPRIGHT, out)
        return out

    def _tilted(self, vector: Array) -> Array:
        out = np.empty(3)
        quat_rotate(_tilt(self.slope), vector, out)
        return out


def _tilt(slope: Array) -> Array:
    """The turn by which a face rises by these slopes along x and y, as a quaternion."""
    turn = np.empty(4)
    quat_exp(np.array([slope[1], -slope[0], 0.0]), turn)
    return turn


def direction(angle: float) -> Array:
    """The unit vector at an angle about z."""
    return np.array([cos(angle), sin(angle), 0.0])


def across(angle: float) -> Array:
    """The unit vector a quarter turn further."""
    return np.array([-sin(angle), cos(angle), 0.0])
