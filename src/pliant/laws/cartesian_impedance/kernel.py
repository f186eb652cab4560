"""One tick of the Cartesian impedance law."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from pliant.laws.gain_ramp import gain_share
from pliant.laws.law_base import bumpless, follow_measured, is_fresh, restart_offset
from pliant.laws.posture import approach
from pliant.laws.task_space import add_damping, mobility, tool_error, tool_jacobian, tool_motion
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.linalg import cholesky, cholesky_solve
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import Array
from pliant.params import KernelParams, Vector
from pliant.tick import MOST_JOINTS, Tick, column, table_dtype

# Regularisation of the kinematic projector at a singularity, m².
_REGULAR = 1e-6


class State:
    """State of the law."""

    K: Array = column("law", (6,), "N/m, N·m/rad", "Stiffness now.")
    D: Array = column("law", (6,), "N·s/m, N·m·s/rad", "Explicit damping now.")
    ratio: float = column("law", (), "1", "Damping ratio now.")
    k_posture: float = column("law", (), "N·m/rad", "Stiffness of the posture now.")
    q_posture: Array = column("law", (MOST_JOINTS,), "rad", "Posture now, ramped.")
    qd_posture: Array = column("law", (MOST_JOINTS,), "rad/s", "Velocity of the posture.")


_STATE = table_dtype(State, 0)
_STATE_SIZE = _STATE.itemsize // 8


@dataclass(frozen=True, kw_only=True, eq=False)
class ImpedanceParams(KernelParams):
    """Parameters of the law for an arm.

    Attributes:
        stiffness: K along the tool's axes, N/m and N·m/rad.
        damping: Explicit damping, N·s/m and N·m·s/rad.
        damping_ratio: Damping ratio of every mode.
        error_clip: Bounds of the position error, m, and of the rotation error, rad.
        posture: Configured posture, rad; zero without one.
        has_posture: Whether a posture is configured.
        posture_stiffness: Stiffness of the posture, N·m/rad.
        posture_ramp: How long a change of posture takes, s.
        is_dynamic: Whether the null-space projector is the dynamically consistent one.
        gain_ramp: How long a change of gains takes, s.
        tau_rate_max: The arm's torque rate limits, N·m/s.
    """

    stiffness: Vector
    damping: Vector
    damping_ratio: float
    error_clip: Vector
    posture: Array
    has_posture: bool
    posture_stiffness: float
    posture_ramp: float
    is_dynamic: bool
    gain_ramp: float
    tau_rate_max: Array


@kernel
def ramp(
    fresh: bool, tick: Row[Tick], s0: Row[State], s: Row[State], p: Row[ImpedanceParams]
) -> None:
    """Move gains and posture towards the configured ones."""
    t, c, a, now = tick[0], p[0], s0[0], s[0]
    share = gain_share(c.gain_ramp, fresh, t.dt)
    for i in range(6):
        now.K[i] = a.K[i] + share * (c.stiffness[i] - a.K[i])
        now.D[i] = a.D[i] + share * (c.damping[i] - a.D[i])
    now.ratio = a.ratio + share * (c.damping_ratio - a.ratio)
    now.k_posture = a.k_posture + share * (c.posture_stiffness - a.k_posture)
    for j in range(t.q.shape[0]):
        q, qd = (t.q[j], 0.0) if fresh else (a.q_posture[j], a.qd_posture[j])
        goal = c.posture[j] if c.has_posture else q
        now.q_posture[j], now.qd_posture[j] = approach(q, qd, goal, c.posture_ramp, t.dt)


@kernel
def impedance_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[ImpedanceParams]) -> None:
    """Write all law columns of one tick."""
    a, t, c = prev[0], tick[0], p[0]
    n = t.q.shape[0]
    fresh = is_fresh(prev, tick)
    s0 = a.law_state[:_STATE_SIZE].view(_STATE)
    s = t.law_state[:_STATE_SIZE].view(_STATE)
    t.law_state[:] = 0.0
    ramp(fresh, tick, s0, s, p)
    now = s[0]
    follow_measured(tick)
    turned = tool_error(prev, tick, fresh)

    J, MJ, L = np.empty((6, n)), np.empty((n, 6)), scratch_matrix(6, 6)
    e, ed, w, tau = scratch(6), scratch(6), scratch(6), np.empty(n)
    tool_jacobian(tick, J)
    mobility(t.M, J, MJ, L)
    tool_motion(tick, c.error_clip, e, ed, w)
    # w = Λ·(a_r − J̇·q̇) + K·e + D·ė
    cholesky_solve(L, w)
    for i in range(6):
        w[i] += now.K[i] * e[i] + now.D[i] * ed[i]
    add_damping(L, now.K, now.ratio, ed, w)

    keep_posture(tick, s, c.is_dynamic, J, MJ, L, tau)
    for j in range(n):
        tau[j] += t.c[j]
        for i in range(6):
            tau[j] += J[i, j] * w[i]
    bumpless(prev, tick, tau, c.tau_rate_max)
    if turned:
        restart_offset(prev, tick, tau)


@kernel
def keep_posture(
    tick: Row[Tick], s: Row[State], dynamic: int, J: Array, MJ: Array, L: Array, tau: Array
) -> None:
    """Write the posture's torque, projected into the null space of the tool.

    N = I − Jᵀ·Λ·J·M⁻¹ (dynamic) causes no acceleration of the tool; N = I − Jᵀ·(J·Jᵀ)⁻¹·J
    (kinematic) causes no force at rest.
    """
    t, now = tick[0], s[0]
    n = tau.shape[0]
    d = 2.0 * sqrt(now.k_posture)
    for j in range(n):
        tau[j] = now.k_posture * (now.q_posture[j] - t.q[j]) + d * (now.qd_posture[j] - t.qd[j])
    w = np.zeros(6)
    for i in range(6):
        for j in range(n):
            w[i] += (MJ[j, i] if dynamic else J[i, j]) * tau[j]
    if dynamic:
        cholesky_solve(L, w)
    else:
        JJ = scratch_matrix(6, 6)
        for i in range(6):
            for k in range(i + 1):
                JJ[i, k] = _REGULAR if i == k else 0.0
                for j in range(n):
                    JJ[i, k] += J[i, j] * J[k, j]
        cholesky(JJ)
        cholesky_solve(JJ, w)
    for j in range(n):
        for i in range(6):
            tau[j] -= J[i, j] * w[i]
