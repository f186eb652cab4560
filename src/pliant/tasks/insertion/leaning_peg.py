"""A peg that leans: the lowest point of its tip finds a hole from far away.

Upright, a peg drops into a hole only where its axis is within the clearance of the hole's. Leaning,
it touches a face with one point of its edge, and that point drops in wherever it is above the hole.
All vectors are in the axes of the hole's frame H, whose z axis points out of the face.
"""

from dataclasses import dataclass
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
        lean: Angle between the peg and the hole's axis, rad.
    """

    radius: float
    lean: float

    def edge(self, angle: float) -> Array:
        """From the centre of the tip to its lowest point, m."""
        out = cos(self.lean) * direction(angle)
        out[2] = -sin(self.lean)
        return self.radius * out

    def orientation(self, angle: float, lean: float | None = None) -> Array:
        """Orientation of the tool, as a quaternion."""
        half = 0.5 * (self.lean if lean is None else lean)
        axis = np.array([cos(half), -sin(angle) * sin(half), cos(angle) * sin(half), 0.0])
        out = np.empty(4)
        quat_multiply(axis, _UPRIGHT, out)
        return out

    def pose(self, lowest: Array, angle: float) -> Array:
        """Pose of the tip's centre that brings its lowest point to a place."""
        return np.concatenate((lowest - self.edge(angle), self.orientation(angle)))

    def lowest(self, pose: Array) -> Array:
        """The lowest point of the tip at a pose of the tool, however it leans."""
        axis, down = np.empty(3), np.array([0.0, 0.0, -1.0])
        quat_rotate(pose[3:], -down, axis)
        out = down - (down @ axis) * axis
        return pose[:3] + self.radius / float(np.linalg.norm(out)) * out

    def turning(self, angle: float, rate: float) -> Array:
        """Angular velocity while the angle changes at a rate, rad/s."""
        axis = sin(self.lean) * direction(angle)
        axis[2] = cos(self.lean)
        return rate * (np.array([0.0, 0.0, 1.0]) - axis)


def upright(slope: Array) -> Array:
    """Orientation of the tool whose tip rises by these slopes along x and y, as a quaternion."""
    turn, out = np.empty(4), np.empty(4)
    quat_exp(np.array([slope[1], -slope[0], 0.0]), turn)
    quat_multiply(turn, _UPRIGHT, out)
    return out


def direction(angle: float) -> Array:
    """The unit vector at an angle about z."""
    return np.array([cos(angle), sin(angle), 0.0])


def across(angle: float) -> Array:
    """The unit vector a quarter turn further."""
    return np.array([-sin(angle), cos(angle), 0.0])
