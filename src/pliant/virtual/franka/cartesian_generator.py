"""Poses and twists that a client commands, checked and turned into a joint motion.

The joints follow by the pseudoinverse of the Jacobian, q̇ = J⁺·v + N·z, where z moves joint 3 as
the commanded elbow does; without an elbow they move as little as possible.
"""

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.linalg import cholesky, cholesky_solve
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import Array
from pliant.virtual.franka.desired_motion import PERIOD, DesiredMotion, rotation_between
from pliant.virtual.franka.fci_errors import (
    CARTESIAN_COMMAND_ACCELERATION,
    CARTESIAN_COMMAND_JERK,
    CARTESIAN_COMMAND_VELOCITY,
    CARTESIAN_FRAME,
    CARTESIAN_JOINT_POSITION,
    CARTESIAN_START_POSE,
    NO_ERROR,
    START_ELBOW,
)
from pliant.virtual.franka.fr3_limits import Fr3Limits
from pliant.virtual.franka.joint_generator import JOIN_RATE, START_TOLERANCE, check_joints

_START = (0.01, 0.05)
"""Most distance, m, and rotation, rad, of the first commanded pose from the desired one."""

_ORTHOGONAL = 1e-5
_DAMPING = 1e-8
_MOBILE = 1e-3


@kernel
def begin_cartesian(motion: Row[DesiredMotion]) -> None:
    """Begin at the desired pose, at rest."""
    m = motion[0]
    m.q_c[:] = m.q
    m.dq_c[:] = 0.0
    m.ddq_c[:] = 0.0
    m.R_c[:] = m.R
    m.p_c[:] = m.p
    m.v_c[:] = 0.0
    m.a_c[:] = 0.0
    m.elbow_c[0] = m.q[2]


@kernel
def begin_pose(motion: Row[DesiredMotion], R: Array, p: Array, elbow: float) -> int:
    """Take the first pose of a motion; the error that it is, or none. `elbow` may be NaN."""
    m, turn = motion[0], scratch(3)
    if not _is_rotation(R):
        return CARTESIAN_FRAME
    rotation_between(m.R, R, turn)
    away, turned = 0.0, 0.0
    for i in range(3):
        away += (p[i] - m.p[i]) ** 2
        turned += turn[i] ** 2
    if not (away < _START[0] ** 2 and turned < _START[1] ** 2):
        return CARTESIAN_START_POSE
    if abs(elbow - m.q[2]) > START_TOLERANCE:
        return START_ELBOW
    m.R_c[:] = R
    m.p_c[:] = p
    if not np.isnan(elbow):
        m.elbow_c[0] = elbow
    return NO_ERROR


@kernel
def _is_rotation(R: Array) -> bool:
    for i in range(3):
        for k in range(i + 1):
            product = R[0, i] * R[0, k] + R[1, i] * R[1, k] + R[2, i] * R[2, k]
            if not abs(product - (1.0 if i == k else 0.0)) < _ORTHOGONAL:
                return False
    return True


@kernel
def follow_pose(
    motion: Row[DesiredMotion], limits: Row[Fr3Limits], R: Array, p: Array, elbow: float
) -> int:
    """Follow a pose by one period; the error that it is, or none. `elbow` may be NaN."""
    m, twist = motion[0], scratch(6)
    if not _is_rotation(R):
        return CARTESIAN_FRAME
    rotation_between(m.R_c, R, twist[3:])
    for i in range(3):
        twist[i] = (p[i] - m.p_c[i]) / PERIOD
        twist[3 + i] /= PERIOD
    error = follow_twist(motion, limits, twist, elbow)
    m.R_c[:] = R
    m.p_c[:] = p
    return error


@kernel
def extrapolate_cartesian(motion: Row[DesiredMotion], limits: Row[Fr3Limits]) -> int:
    """Go on with the last acceleration, because a command is lost; its error, or none."""
    m, twist = motion[0], scratch(6)
    for i in range(6):
        twist[i] = m.v_c[i] + PERIOD * m.a_c[i]
    return follow_twist(motion, limits, twist, np.nan)


@kernel
def follow_twist(
    motion: Row[DesiredMotion], limits: Row[Fr3Limits], twist: Array, elbow: float
) -> int:
    """Follow a twist by one period; the error that it is, or none. `elbow` may be NaN."""
    error = _check_twist(motion, limits, twist)
    if error != NO_ERROR:
        return error
    m, dq_c, join = motion[0], scratch(7), scratch(6)
    rotation_between(m.R, m.R_c, join[3:])
    for i in range(3):
        join[i] = JOIN_RATE * (m.p_c[i] - m.p[i])
        join[3 + i] *= JOIN_RATE
    _joints_of(m.J, twist, elbow, (elbow - m.elbow_c[0]) / PERIOD, dq_c)
    found = check_joints(motion, limits, dq_c)
    if found >= 0:
        return CARTESIAN_JOINT_POSITION + found
    for j in range(7):
        m.ddq_c[j] = (dq_c[j] - m.dq_c[j]) / PERIOD
        m.dq_c[j] = dq_c[j]
        m.ddq[j] = m.ddq_c[j]
    _joints_of(m.J, join, elbow, JOIN_RATE * (m.elbow_c[0] - m.q[2]), dq_c)
    for j in range(7):
        m.dq[j] = m.dq_c[j] + dq_c[j]
        m.q[j] += PERIOD * m.dq[j]
        m.q_c[j] = m.q[j]
    _note_twist(motion, twist, elbow)
    return NO_ERROR


@kernel
def _note_twist(motion: Row[DesiredMotion], twist: Array, elbow: float) -> None:
    """Remember the commanded twist, and where it leads."""
    m, turned = motion[0], scratch(3)
    for i in range(6):
        m.a_c[i] = (twist[i] - m.v_c[i]) / PERIOD
        m.v_c[i] = twist[i]
    for i in range(3):
        m.p_c[i] += PERIOD * twist[i]
    for k in range(3):
        # first order, then normalised below: the turn of a period is tiny
        for i in range(3):
            a, b = (i + 1) % 3, (i + 2) % 3
            turned[i] = twist[3 + a] * m.R_c[b, k] - twist[3 + b] * m.R_c[a, k]
        length = 0.0
        for i in range(3):
            m.R_c[i, k] += PERIOD * turned[i]
            length += m.R_c[i, k] ** 2
        for i in range(3):
            m.R_c[i, k] /= np.sqrt(length)
    if not np.isnan(elbow):
        m.elbow_c[0] = elbow


@kernel
def _check_twist(motion: Row[DesiredMotion], limits: Row[Fr3Limits], twist: Array) -> int:
    m = motion[0]
    for part in range(2):
        limit = limits[0].translation if part == 0 else limits[0].rotation
        speed, acceleration, jerk = 0.0, 0.0, 0.0
        for i in range(3 * part, 3 * part + 3):
            a = (twist[i] - m.v_c[i]) / PERIOD
            speed += twist[i] ** 2
            acceleration += a**2
            jerk += ((a - m.a_c[i]) / PERIOD) ** 2
        if not speed <= limit[0] ** 2:
            return CARTESIAN_COMMAND_VELOCITY
        if acceleration > limit[1] ** 2:
            return CARTESIAN_COMMAND_ACCELERATION
        if jerk > limit[2] ** 2:
            return CARTESIAN_COMMAND_JERK
    return NO_ERROR


@kernel
def _joints_of(J: Array, twist: Array, elbow: float, elbow_rate: float, dq: Array) -> None:
    """Write the joint velocities of a twist; joint 3 moves at a rate if there is an elbow."""
    A, x, along = scratch_matrix(6, 6), scratch(6), scratch(6)
    for i in range(6):
        for k in range(6):
            A[i, k] = _DAMPING if i == k else 0.0
            for j in range(7):
                A[i, k] += J[i, j] * J[k, j]
        x[i] = twist[i]
        along[i] = J[i, 2]
    cholesky(A)
    cholesky_solve(A, x)
    cholesky_solve(A, along)
    mobility = 1.0
    for j in range(7):
        dq[j] = 0.0
        for i in range(6):
            dq[j] += J[i, j] * x[i]
    for i in range(6):
        mobility -= J[i, 2] * along[i]
    if np.isnan(elbow) or mobility < _MOBILE:
        return
    step = (elbow_rate - dq[2]) / mobility
    for j in range(7):
        share = 1.0 if j == 2 else 0.0
        for i in range(6):
            share -= J[i, j] * along[i]
        dq[j] += share * step
