"""Forward kinematics of a serial arm as a kernel: the product of exponentials.

The axes of the joints come from Pinocchio. Pinocchio computes the same, but a call from Python
after a control period of sleep loads so much code and memory that it takes longer than all other
stages of a tick together; this kernel takes a tenth of that.
"""

from dataclasses import dataclass
from math import cos, sin

import numpy as np
import pinocchio as pin

from pliant.arms.pinocchio import TCP_FRAME
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import Array
from pliant.params import KernelParams


@dataclass(frozen=True, kw_only=True, eq=False)
class Chain(KernelParams):
    """The arm at q = 0, in W.

    Attributes:
        axis: Unit vector along each joint's axis.
        point: A point on it, m.
        R_WT: Orientation of the tool.
        p_WT: Its position, m.
    """

    axis: Array
    point: Array
    R_WT: Array
    p_WT: Array


def chain_row(model: pin.Model) -> np.ndarray:
    """The chain of revolute joints from the base to the tool of a Pinocchio model."""
    data, frame = model.createData(), model.getFrameId(TCP_FRAME)
    J_W = pin.computeFrameJacobian(
        model, data, np.zeros(model.nv), frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    )
    tool = data.oMf[frame]
    return Chain(
        axis=J_W[3:].T,
        point=np.array([data.oMi[j + 1].translation for j in range(model.nv)]),
        R_WT=tool.rotation,
        p_WT=tool.translation,
    ).row()


@kernel
def tool_kinematics(chain: Row[Chain], q: Array, R_WT: Array, p_WT: Array, J_W: Array) -> None:
    """Write the pose of the tool at q, and its Jacobian in W at the TCP.

    Args:
        chain: The arm.
        q: Joint positions, rad.
        R_WT: Out: orientation of the tool.
        p_WT: Out: its position.
        J_W: Out: the Jacobian.
    """
    c = chain[0]
    n = q.shape[0]
    # R and p: rotation and translation of the following links by the joints so far, from q = 0
    R, p = scratch_matrix(3, 3), scratch(3)
    for i in range(3):
        p[i] = 0.0
        for k in range(3):
            R[i, k] = 1.0 if i == k else 0.0
    for j in range(n):
        for i in range(3):
            J_W[3 + i, j] = R[i, 0] * c.axis[j, 0] + R[i, 1] * c.axis[j, 1] + R[i, 2] * c.axis[j, 2]
            J_W[i, j] = transformed(R, p, c.point[j], i)
        rotate_about(J_W[3:, j], q[j], R)
        for i in range(3):
            p[i] = J_W[i, j]
            for k in range(3):
                p[i] -= R[i, k] * c.point[j, k]
    for i in range(3):
        p_WT[i] = transformed(R, p, c.p_WT, i)
        for k in range(3):
            R_WT[i, k] = R[i, 0] * c.R_WT[0, k] + R[i, 1] * c.R_WT[1, k] + R[i, 2] * c.R_WT[2, k]
    for j in range(n):
        ax, ay, az = J_W[3, j], J_W[4, j], J_W[5, j]
        x, y, z = p_WT[0] - J_W[0, j], p_WT[1] - J_W[1, j], p_WT[2] - J_W[2, j]
        J_W[0, j] = ay * z - az * y
        J_W[1, j] = az * x - ax * z
        J_W[2, j] = ax * y - ay * x


@kernel
def transformed(R: Array, p: Array, point: Array, i: int) -> float:
    """Coordinate i of a point, rotated by R and translated by p."""
    return R[i, 0] * point[0] + R[i, 1] * point[1] + R[i, 2] * point[2] + p[i]


@kernel
def rotate_about(axis: Array, angle: float, R: Array) -> None:
    """Rotate R by an angle about an axis, by Rodrigues' formula."""
    ax, ay, az = axis[0], axis[1], axis[2]
    c, s = cos(angle), sin(angle)
    for k in range(3):
        x, y, z = R[0, k], R[1, k], R[2, k]
        along = (1.0 - c) * (ax * x + ay * y + az * z)
        R[0, k] = c * x + s * (ay * z - az * y) + along * ax
        R[1, k] = c * y + s * (az * x - ax * z) + along * ay
        R[2, k] = c * z + s * (ax * y - ay * x) + along * az
