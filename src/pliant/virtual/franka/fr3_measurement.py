"""What the arm computes from its measurements in every period, for its controllers and states.

Estimated external torques and wrenches have libfranka's sign, what the robot does to the
environment: τ̂ = τ_J − (M·q̈ + c + g), with the load that the client set as part of g.
"""

from dataclasses import dataclass

import numpy as np

from pliant.arms.chain import Chain
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.linalg import cholesky, cholesky_solve
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import Array, norm3
from pliant.params import KernelParams
from pliant.tick import Tick
from pliant.virtual.franka.desired_motion import (
    PERIOD,
    DesiredMotion,
    frame_kinematics,
    rotation_between,
    shift_jacobian,
)
from pliant.virtual.franka.fci_errors import (
    CARTESIAN_REFLEX,
    JOINT_POSITION_LIMITS,
    JOINT_REFLEX,
    JOINT_VELOCITY,
    MAX_PATH_POSE_DEVIATION,
    NO_ERROR,
)
from pliant.virtual.franka.fr3_limits import Fr3Limits, too_fast
from pliant.virtual.franka.fr3_settings import Fr3Settings

GRAVITY = 9.81
_SINGULAR = 0.005
"""Manipulability below which a wrench is not estimated; in the middle of the range it is 0.1."""

_ACCELERATING = 0.05
"""Desired acceleration, rad/s², from which the thresholds of acceleration hold."""

_TOO_FAST = 1.1
"""Share of a speed limit at which a measured speed is an error."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Fr3Measurement(KernelParams):
    """One row.

    Attributes:
        R: Orientation of the end effector.
        p: Its position, m.
        R_K: Orientation of the stiffness frame.
        p_K: Its position.
        J_K: Its Jacobian in the axes of the base.
        R_Kd: Desired orientation of the stiffness frame.
        p_Kd: Its desired position.
        load_torque: Torques that hold the load that was set, N·m.
        tau: Measured joint torques, with gravity, N·m.
        dtau: Their derivative, N·m/s.
        tau_ext: External torques, estimated.
        w_K: External wrench at K in the axes of the base, estimated.
        w_K_K: The same in the axes of K.
        joint_contact: Where contact was detected, 0 or 1.
        cartesian_contact: The same along and about the axes of the base.
        joint_collision: Where a collision was.
        cartesian_collision: The same along and about the axes of the base.
    """

    R: Array
    p: Array
    R_K: Array
    p_K: Array
    J_K: Array
    R_Kd: Array
    p_Kd: Array
    load_torque: Array
    tau: Array
    dtau: Array
    tau_ext: Array
    w_K: Array
    w_K_K: Array
    joint_contact: Array
    cartesian_contact: Array
    joint_collision: Array
    cartesian_collision: Array


def new_measurement() -> np.ndarray:
    """A row of zeros."""
    shapes = {"R": (3, 3), "R_K": (3, 3), "R_Kd": (3, 3), "J_K": (6, 7)}
    shapes |= dict.fromkeys(("p", "p_K", "p_Kd"), (3,))
    six = ("w_K", "w_K_K", "cartesian_contact", "cartesian_collision")
    shapes |= dict.fromkeys(six, (6,))
    names = Fr3Measurement.__annotations__
    return Fr3Measurement(**{name: np.zeros(shapes.get(name, 7)) for name in names}).row()


@kernel
def measure_fr3(
    tick: Row[Tick],
    flange: Row[Chain],
    settings: Row[Fr3Settings],
    motion: Row[DesiredMotion],
    measurement: Row[Fr3Measurement],
) -> None:
    """Write a measurement, and the end effector's kinematics at the desired joints.

    Args:
        tick: What the simulation measured.
        flange: The arm up to the flange.
        settings: What the client has set.
        motion: The desired motion; its kinematics are written.
        measurement: Out; in: the torques of the period before.
    """
    t, s, d, m = tick[0], settings[0], motion[0], measurement[0]
    J, shift = scratch_matrix(6, 7), scratch(3)
    frame_kinematics(flange, s.F_T_EE, d.q, d.R, d.p, d.J)
    _frame_on(d.R, d.p, s.EE_T_K, m.R_Kd, m.p_Kd)
    frame_kinematics(flange, s.F_T_EE, t.q, m.R, m.p, J)
    _frame_on(m.R, m.p, s.EE_T_K, m.R_K, m.p_K)
    for i in range(3):
        shift[i] = m.p_K[i] - m.p[i]
    shift_jacobian(shift, J, m.J_K)
    # from the end effector to the load's centre of mass
    for i in range(3):
        shift[i] = 0.0
        for k in range(3):
            along = -s.F_T_EE[k, 3]
            for a in range(3):
                # the rotation of the flange is that of the end effector times F_T_EE's inverse
                shift[i] += m.R[i, a] * s.F_T_EE[k, a] * (along + s.F_x_Cload[k])
    shift_jacobian(shift, J, J)
    for j in range(7):
        m.load_torque[j] = s.m_load * GRAVITY * J[2, j]
        m.dtau[j] = (t.tau[j] - m.tau[j]) / PERIOD
        m.tau[j] = t.tau[j]
        m.tau_ext[j] = -t.tau_ext[j] - m.load_torque[j]
    _estimate_wrench(measurement)
    _detect_contact(settings, motion, measurement)


@kernel
def _frame_on(R: Array, p: Array, X: Array, R_out: Array, p_out: Array) -> None:
    for i in range(3):
        p_out[i] = p[i]
        for k in range(3):
            p_out[i] += R[i, k] * X[k, 3]
            R_out[i, k] = 0.0
            for a in range(3):
                R_out[i, k] += R[i, a] * X[a, k]


@kernel
def _estimate_wrench(measurement: Row[Fr3Measurement]) -> None:
    """Write the wrench w = (J·Jᵀ)⁻¹·J·τ̂, zero near a singularity."""
    m = measurement[0]
    A, J = scratch_matrix(6, 6), m.J_K
    for i in range(6):
        m.w_K[i] = 0.0
        for j in range(7):
            m.w_K[i] += J[i, j] * m.tau_ext[j]
        for k in range(i + 1):
            A[i, k] = 0.0
            for j in range(7):
                A[i, k] += J[i, j] * J[k, j]
    cholesky(A)
    manipulability = 1.0
    for i in range(6):
        manipulability *= A[i, i]
    cholesky_solve(A, m.w_K)
    if manipulability < _SINGULAR:
        m.w_K[:] = 0.0
    for i in range(3):
        m.w_K_K[i] = m.w_K_K[3 + i] = 0.0
        for k in range(3):
            m.w_K_K[i] += m.R_K[k, i] * m.w_K[k]
            m.w_K_K[3 + i] += m.R_K[k, i] * m.w_K[3 + k]


@kernel
def _detect_contact(
    settings: Row[Fr3Settings], motion: Row[DesiredMotion], measurement: Row[Fr3Measurement]
) -> None:
    """Compare the estimates with the thresholds; a collision stays until it is reset."""
    s, m, fastest = settings[0], measurement[0], 0.0
    for j in range(7):
        fastest = max(fastest, abs(motion[0].ddq[j]))
    accelerating = fastest > _ACCELERATING
    torque = s.torque_accelerating if accelerating else s.torque_nominal
    force = s.force_accelerating if accelerating else s.force_nominal
    for j in range(7):
        m.joint_contact[j] = 1.0 if abs(m.tau_ext[j]) > torque[0, j] else 0.0
        if abs(m.tau_ext[j]) > torque[1, j]:
            m.joint_collision[j] = 1.0
    for i in range(6):
        m.cartesian_contact[i] = 1.0 if abs(m.w_K[i]) > force[0, i] else 0.0
        if abs(m.w_K[i]) > force[1, i]:
            m.cartesian_collision[i] = 1.0


@kernel
def motion_error(
    tick: Row[Tick],
    limits: Row[Fr3Limits],
    motion: Row[DesiredMotion],
    measurement: Row[Fr3Measurement],
    translation: float,
    rotation: float,
) -> int:
    """The error that ends a motion now, or none.

    Args:
        tick: What the simulation measured.
        limits: The arm's limits.
        motion: The desired motion.
        measurement: What was measured.
        translation: Largest deviation of the end effector from its path, m.
        rotation: The same of its orientation, rad.
    """
    t, m = tick[0], measurement[0]
    for j in range(7):
        if not limits[0].q_min[j] <= t.q[j] <= limits[0].q_max[j]:
            return JOINT_POSITION_LIMITS
        if too_fast(limits, j, t.q[j], t.qd[j] / _TOO_FAST):
            return JOINT_VELOCITY
    for j in range(7):
        if m.joint_collision[j] > 0.0:
            return JOINT_REFLEX
    for i in range(6):
        if m.cartesian_collision[i] > 0.0:
            return CARTESIAN_REFLEX
    away, turn = scratch(3), scratch(3)
    for i in range(3):
        away[i] = m.p[i] - motion[0].p[i]
    rotation_between(motion[0].R, m.R, turn)
    if norm3(away) > translation or norm3(turn) > rotation:
        return MAX_PATH_POSE_DEVIATION
    return NO_ERROR
