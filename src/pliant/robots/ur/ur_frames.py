"""Poses and wrenches as a UR has them, and as Pliant does.

A UR's base B is Pliant's world W turned by half a turn about z (W is the `base_link` of the URDF).
Its poses are x, y, z and a rotation vector.
"""

from collections.abc import Sequence

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

Array = NDArray[np.float64]

GRAVITY = 9.81
"""Magnitude of gravity along −z of the base, m/s²."""

R_BW = np.diag([-1.0, -1.0, 1.0])
"""Half a turn about z; its own inverse."""

X_BW = pin.SE3(R_BW, np.zeros(3))


def from_ur_pose(numbers: Sequence[float] | Array) -> pin.SE3:
    """A pose from x, y, z and a rotation vector."""
    values = np.array(numbers, dtype=np.float64)
    return pin.SE3(pin.exp3(values[3:]), values[:3])


def to_ur_pose(X: pin.SE3) -> Array:
    """A pose as x, y, z and a rotation vector."""
    return np.concatenate([X.translation, pin.log3(X.rotation)])


def turn_pair(R: Array, pair: Array) -> Array:
    """Rotate both halves of a wrench or twist."""
    return (R @ pair.reshape(2, 3).T).T.ravel()


def move_wrench(X_AB: pin.SE3, w_B: Array) -> Array:
    """The same wrench in A at A's origin, lever arm included; the force first."""
    return X_AB.act(pin.Force(w_B)).vector


def weight(mass: float, com_F: Array, R_BF: Array) -> Array:
    """Wrench of a tool's weight in the flange, for the orientation of the flange in the base."""
    force = R_BF[2] * (-GRAVITY * mass)
    return pin.SE3(np.eye(3), com_F).act(pin.Force(force, np.zeros(3))).vector
