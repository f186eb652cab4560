"""Limits that the real controller puts on commands, as on the limits page of the FCI documentation.

Near a joint's end its speed limit falls, so that it can still brake:

    |q̇| ≤ min(q̇_max, √(2·a·|q_end − q|) − offset)
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.spatial import Array
from pliant.params import KernelParams

VELOCITY_OFFSET = (0.30, 0.20, 0.20, 0.30, 0.35, 0.35, 0.35)
DECELERATION = (6.0, 2.585, 3.50, 4.00, 17.0, 5.5, 17.0)
ELBOW_FLIP = -0.467002423653011
"""Position of joint 4, rad, at which the elbow flips."""

TORQUE_RATE = 1000.0
"""Largest change of the commanded torque, N·m/s."""

_JERK = 5000.0
_TRANSLATION = (3.0, 9.0, 4500.0)
_ROTATION = (2.5, 17.0, 8500.0)
_TOLERANCE = 1.01


@dataclass(frozen=True, kw_only=True, eq=False)
class Fr3Limits(KernelParams):
    """Limits of the joints, and of the end effector's speed, acceleration and jerk.

    Attributes:
        q_min: Lower ends of the joints, rad.
        q_max: Upper ends, rad.
        dq_max: Largest speeds, rad/s.
        ddq_max: Largest accelerations, rad/s².
        jerk_max: Largest jerk of a joint, rad/s³.
        offset: Constant of the speed limit near an end, rad/s.
        deceleration: Deceleration that it assumes, rad/s².
        translation: Largest speed, acceleration and jerk of the end effector, m/s, ….
        rotation: The same of its rotation, rad/s, ….
    """

    q_min: Array
    q_max: Array
    dq_max: Array
    ddq_max: Array
    jerk_max: float
    offset: Array
    deceleration: Array
    translation: Array
    rotation: Array


def limits_row(arm: ArmDescription) -> np.ndarray:
    """The limits of an arm, a hundredth wider than stated, as rounding errors need."""
    return Fr3Limits(
        q_min=arm.q_min,
        q_max=arm.q_max,
        dq_max=arm.qd_max * _TOLERANCE,
        ddq_max=arm.qdd_max * _TOLERANCE,
        jerk_max=_JERK * _TOLERANCE,
        offset=np.array(VELOCITY_OFFSET),
        deceleration=np.array(DECELERATION),
        translation=np.array(_TRANSLATION) * _TOLERANCE,
        rotation=np.array(_ROTATION) * _TOLERANCE,
    ).row()


@kernel
def too_fast(limits: Row[Fr3Limits], j: int, q: float, dq: float) -> bool:
    """Whether joint j is faster than it may be at q."""
    m = limits[0]
    left = m.q_max[j] - q if dq > 0.0 else q - m.q_min[j]
    near = sqrt(max(0.0, 2.0 * m.deceleration[j] * left)) - m.offset[j]
    return abs(dq) > min(m.dq_max[j], max(0.0, near) + 0.01 * m.dq_max[j])
