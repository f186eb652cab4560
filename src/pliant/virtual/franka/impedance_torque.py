"""The two impedance controllers inside the arm, without the compensation of gravity."""

from math import sqrt

from pliant.numerics.kernels import kernel
from pliant.numerics.linalg import cholesky, cholesky_solve
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import Array
from pliant.virtual.franka.desired_motion import rotation_between

_DAMPING_RATIO = 0.7
_NULL_STIFFNESS = 20.0
"""Stiffness of the elbow under the Cartesian controller, N·m/rad."""


@kernel
def joint_impedance_torque(
    q: Array,
    dq: Array,
    M: Array,
    c: Array,
    q_d: Array,
    dq_d: Array,
    ddq_d: Array,
    stiffness: Array,
    tau: Array,
) -> None:
    """Write τ = K·(q_d − q) + D·(q̇_d − q̇) + M·q̈_d + c, with D from K and the inertias.

    Args:
        q: Joint positions, rad.
        dq: Joint velocities, rad/s.
        M: Mass matrix.
        c: Coriolis and centrifugal torques, N·m.
        q_d: Desired positions.
        dq_d: Desired velocities.
        ddq_d: Desired accelerations.
        stiffness: Stiffness of each joint, N·m/rad.
        tau: Out: torques, N·m.
    """
    for j in range(7):
        damping = 2.0 * _DAMPING_RATIO * sqrt(stiffness[j] * M[j, j])
        tau[j] = stiffness[j] * (q_d[j] - q[j]) + damping * (dq_d[j] - dq[j]) + c[j]
        for k in range(7):
            tau[j] += M[j, k] * ddq_d[k]


@kernel
def cartesian_impedance_torque(
    q: Array,
    dq: Array,
    M: Array,
    c: Array,
    q_d: Array,
    dq_d: Array,
    ddq_d: Array,
    R: Array,
    p: Array,
    J: Array,
    R_d: Array,
    p_d: Array,
    stiffness: Array,
    tau: Array,
) -> None:
    """Write the torque of springs and dampers along the axes of the stiffness frame K.

    Args:
        q: Joint positions, rad.
        dq: Joint velocities, rad/s.
        M: Mass matrix.
        c: Coriolis and centrifugal torques, N·m.
        q_d: Desired positions.
        dq_d: Desired velocities.
        ddq_d: Desired accelerations.
        R: Orientation of K.
        p: Its position.
        J: Its Jacobian.
        R_d: Desired orientation.
        p_d: Desired position.
        stiffness: Along and about the axes of K, N/m and N·m/rad.
        tau: Out: torques, N·m.
    """
    e, v, f, inverse = scratch(6), scratch(6), scratch(6), scratch_matrix(6, 6)
    rotation_between(R, R_d, e[3:])
    for i in range(3):
        e[i] = p_d[i] - p[i]
    for i in range(6):
        v[i] = 0.0
        for j in range(7):
            v[i] += J[i, j] * (dq_d[j] - dq[j])
    _mobility(J, M, inverse)
    for part in range(2):
        _spring(R, e, v, inverse, stiffness, 3 * part, f)
    _null_torque(q, dq, q_d, dq_d, M, J, tau)
    for j in range(7):
        tau[j] += c[j]
        for i in range(6):
            tau[j] += J[i, j] * f[i]
        for k in range(7):
            tau[j] += M[j, k] * ddq_d[k]


@kernel
def _spring(
    R: Array, e: Array, v: Array, mobility: Array, stiffness: Array, first: int, f: Array
) -> None:
    """Write force or torque, three entries from `first`, of springs along the columns of R."""
    for i in range(3):
        f[first + i] = 0.0
    for axis in range(3):
        away, speed, inverse = 0.0, 0.0, 0.0
        for i in range(3):
            away += R[i, axis] * e[first + i]
            speed += R[i, axis] * v[first + i]
            for k in range(3):
                inverse += R[i, axis] * mobility[first + i, first + k] * R[k, axis]
        k_axis = stiffness[first + axis]
        push = k_axis * away + 2.0 * _DAMPING_RATIO * sqrt(k_axis / inverse) * speed
        for i in range(3):
            f[first + i] += R[i, axis] * push


@kernel
def _mobility(J: Array, M: Array, out: Array) -> None:
    """Write J·M⁻¹·Jᵀ."""
    L, x = scratch_matrix(7, 7), scratch(7)
    L[:] = M
    cholesky(L)
    for i in range(6):
        x[:] = J[i]
        cholesky_solve(L, x)
        for k in range(6):
            out[k, i] = 0.0
            for j in range(7):
                out[k, i] += J[k, j] * x[j]


@kernel
def _null_torque(
    q: Array, dq: Array, q_d: Array, dq_d: Array, M: Array, J: Array, tau: Array
) -> None:
    """Write the torque that holds the elbow, of which the end effector feels nothing at rest."""
    A, x = scratch_matrix(6, 6), scratch(6)
    for j in range(7):
        damping = 2.0 * _DAMPING_RATIO * sqrt(_NULL_STIFFNESS * M[j, j])
        tau[j] = _NULL_STIFFNESS * (q_d[j] - q[j]) + damping * (dq_d[j] - dq[j])
    for i in range(6):
        x[i] = 0.0
        for j in range(7):
            x[i] += J[i, j] * tau[j]
        for k in range(6):
            A[i, k] = 1e-8 if i == k else 0.0
            for j in range(7):
                A[i, k] += J[i, j] * J[k, j]
    cholesky(A)
    cholesky_solve(A, x)
    for j in range(7):
        for i in range(6):
            tau[j] -= J[i, j] * x[i]
