"""The motion that the arm's own controller follows, and what the client commanded last."""

from dataclasses import dataclass

import numpy as np

from pliant.arms.chain import Chain, tool_kinematics
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import Array
from pliant.params import KernelParams

PERIOD = 0.001
"""Control period, s."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DesiredMotion(KernelParams):
    """One row: desired joint motion, and the last commands, with two derivatives each.

    The desired motion differs from the commanded one by where the arm was when the motion began;
    this difference decays.

    Attributes:
        q: Desired joint positions, rad.
        dq: Desired velocities, rad/s.
        ddq: Desired accelerations, rad/s².
        q_c: Commanded joint positions; after inverse kinematics if poses are commanded.
        dq_c: Their derivative.
        ddq_c: Their second derivative.
        R: Orientation of the end effector at q.
        p: Its position, m.
        J: Its Jacobian.
        R_c: Commanded orientation of the end effector.
        p_c: Commanded position, m.
        v_c: Commanded twist.
        a_c: Derivative of the commanded twist.
        elbow_c: Commanded position of joint 3, rad, one number.
    """

    q: Array
    dq: Array
    ddq: Array
    q_c: Array
    dq_c: Array
    ddq_c: Array
    R: Array
    p: Array
    J: Array
    R_c: Array
    p_c: Array
    v_c: Array
    a_c: Array
    elbow_c: Array


def new_motion(q: Array) -> np.ndarray:
    """A row for an arm at rest at q."""
    rest = np.zeros(7)
    return DesiredMotion(
        q=q.copy(),
        dq=rest,
        ddq=rest,
        q_c=q.copy(),
        dq_c=rest,
        ddq_c=rest,
        R=np.eye(3),
        p=np.zeros(3),
        J=np.zeros((6, 7)),
        R_c=np.eye(3),
        p_c=np.zeros(3),
        v_c=np.zeros(6),
        a_c=np.zeros(6),
        elbow_c=q[2:3].copy(),
    ).row()


@kernel
def frame_kinematics(
    flange: Row[Chain], F_T_P: Array, q: Array, R_OP: Array, p_OP: Array, J_O: Array
) -> None:
    """Write the pose of a frame P on the flange, and its Jacobian in the axes of the base.

    Args:
        flange: The arm up to the flange.
        F_T_P: Pose of P in the flange, 4×4.
        q: Joint positions, rad.
        R_OP: Out: orientation of P.
        p_OP: Out: its position.
        J_O: Out: the Jacobian at P.
    """
    R_OF, d = scratch_matrix(3, 3), scratch(3)
    tool_kinematics(flange, q, R_OF, p_OP, J_O)
    for i in range(3):
        d[i] = R_OF[i, 0] * F_T_P[0, 3] + R_OF[i, 1] * F_T_P[1, 3] + R_OF[i, 2] * F_T_P[2, 3]
        for k in range(3):
            R_OP[i, k] = 0.0
            for m in range(3):
                R_OP[i, k] += R_OF[i, m] * F_T_P[m, k]
    for i in range(3):
        p_OP[i] += d[i]
    shift_jacobian(d, J_O, J_O)


@kernel
def shift_jacobian(d: Array, J: Array, out: Array) -> None:
    """Write the Jacobian of a point that is d away, in the same axes."""
    for j in range(J.shape[1]):
        a, b, c = J[3, j], J[4, j], J[5, j]
        out[0, j] = J[0, j] + b * d[2] - c * d[1]
        out[1, j] = J[1, j] + c * d[0] - a * d[2]
        out[2, j] = J[2, j] + a * d[1] - b * d[0]
        out[3, j], out[4, j], out[5, j] = a, b, c


@kernel
def rotation_between(R_from: Array, R_to: Array, out: Array) -> None:
    """Write the rotation vector, in the common axes, of a turn from one orientation to another."""
    R = scratch_matrix(3, 3)
    for i in range(3):
        for k in range(3):
            R[i, k] = 0.0
            for m in range(3):
                R[i, k] += R_to[i, m] * R_from[k, m]
    out[0] = 0.5 * (R[2, 1] - R[1, 2])
    out[1] = 0.5 * (R[0, 2] - R[2, 0])
    out[2] = 0.5 * (R[1, 0] - R[0, 1])
    sine = np.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2)
    cosine = 0.5 * (R[0, 0] + R[1, 1] + R[2, 2] - 1.0)
    if sine > 1e-9:
        angle = np.arctan2(sine, cosine)
        for i in range(3):
            out[i] *= angle / sine


@kernel
def brake(motion: Row[DesiredMotion], deceleration: float) -> bool:
    """Brake all joints together by one period; whether they stand still."""
    m = motion[0]
    fastest = 0.0
    for j in range(7):
        fastest = max(fastest, abs(m.dq[j]))
    factor = 0.0
    if fastest > deceleration * PERIOD:
        factor = 1.0 - deceleration * PERIOD / fastest
    for j in range(7):
        m.ddq[j] = (factor - 1.0) * m.dq[j] / PERIOD
        m.dq[j] *= factor
        m.q[j] += PERIOD * m.dq[j]
    return factor == 0.0
