"""One tick of the hybrid force law."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from pliant.laws.cartesian_impedance.kernel import ImpedanceParams, keep_posture, ramp
from pliant.laws.hybrid_admittance.subspace import (
    add_along,
    along,
    drop_yielded,
    project,
    tool_rows,
)
from pliant.laws.hybrid_force.force_rows import (
    approach_speed,
    braking,
    contact_share,
    effective_mass,
    free_speed,
    integrate_error,
    row_damping,
)
from pliant.laws.joint_friction import observe_friction
from pliant.laws.law_base import bumpless, follow_measured, is_fresh, restart_offset
from pliant.laws.task_space import add_damping, mobility, tool_error, tool_motion
from pliant.laws.wrench_ramp import ramp_wrench, target_along_axes
from pliant.numerics.force_frame import to_frame
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.linalg import cholesky_solve
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import Array, pose_step, unrotate_pair
from pliant.params import Vector
from pliant.tick import MOST_JOINTS, Tick, column, table_dtype

_TORQUE_CLIPPED = 16 | 32


class State:
    """State of the law."""

    K: Array = column("law", (6,), "N/m, N·m/rad", "Stiffness now.")
    D: Array = column("law", (6,), "N·s/m, N·m·s/rad", "Explicit damping now.")
    ratio: float = column("law", (), "1", "Damping ratio now.")
    k_posture: float = column("law", (), "N·m/rad", "Stiffness of the posture now.")
    q_posture: Array = column("law", (MOST_JOINTS,), "rad", "Posture now, ramped.")
    qd_posture: Array = column("law", (MOST_JOINTS,), "rad/s", "Velocity of the posture.")
    force_p: float = column("law", (), "1", "Proportional gain now.")
    w_ramped: Array = column("law", (6,), "N, N·m", "Wrench target now, in the axes of w_target.")
    integral: Array = column("law", (6,), "N, N·m", "Integral part along each row.")
    share: Array = column("law", (6,), "1", "Share of force regulation along each row.")
    friction: Array = column("law", (MOST_JOINTS,), "N·m", "Observed friction of the joints.")


_STATE = table_dtype(State, 0)
_STATE_SIZE = _STATE.itemsize // 8


@dataclass(frozen=True, kw_only=True, eq=False)
class HybridForceParams(ImpedanceParams):
    """Parameters of the law for an arm: those of the impedance, and of force regulation.

    Attributes:
        force_p: Proportional gain on the force error.
        force_i: Integral gain on the force error, 1/s.
        force_i_limit: Bounds of the integral part, N and N·m.
        contact_peak: Allowed peak of a first contact, N.
        wrench_rate: Rates of the wrench target, N/s and N·m/s.
        max_speed: Speeds along force-controlled rows that are braked, m/s and rad/s.
        friction_share: Share of the observed joint friction that is compensated.
        friction_time: Time constant of the observer, s.
        friction_most: Bounds of the observed friction, N·m.
    """

    force_p: float
    force_i: float
    force_i_limit: Vector
    contact_peak: float
    wrench_rate: Vector
    max_speed: Vector
    friction_share: float
    friction_time: float
    friction_most: Array


@kernel
def hybrid_force_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[HybridForceParams]) -> None:
    """Write all law columns of one tick; w, e, v and J are in the axes of Tr, at the TCP.

    F = P·(Λ·(a_r − J̇·q̇) + K·e + D·ė) + S·(force regulation),   τ = Jᵀ·F + c + N·τ_posture − κ·τ_f
    """
    a, t, c = prev[0], tick[0], p[0]
    n = t.q.shape[0]
    fresh = is_fresh(prev, tick)
    s0 = a.law_state[:_STATE_SIZE].view(_STATE)
    s = t.law_state[:_STATE_SIZE].view(_STATE)
    t.law_state[:] = 0.0
    ramp(fresh, tick, s0, s, p)
    now = s[0]
    start = c.force_p if fresh else s0[0].force_p
    now.force_p = start + (c.force_p - start) * min(1.0, t.dt / max(t.dt, c.gain_ramp))
    follow_measured(tick)
    ramp_wrench(fresh, prev, tick, c.wrench_rate, s0[0].w_ramped, now.w_ramped)
    turned = tool_error(prev, tick, fresh)
    switched = not fresh and t.axes_seq != a.axes_seq
    if switched:
        _stay(prev, tick)

    J, MJ, L = np.empty((6, n)), np.empty((n, 6)), scratch_matrix(6, 6)
    e, ed, w, F, tau = scratch(6), scratch(6), scratch(6), scratch(6), np.empty(n)
    _jacobian(tick, J)
    mobility(t.M, J, MJ, L)
    tool_motion(tick, c.error_clip, e, ed, w)
    for x in (e, ed, w):
        to_frame(t.axes_frame, t.X_WF, t.X_WT, x, x)
    # the springs of the impedance, as in cartesian_impedance
    cholesky_solve(L, w)
    for i in range(6):
        w[i] += now.K[i] * e[i] + now.D[i] * ed[i]
    add_damping(L, now.K, now.ratio, ed, w)
    project(t.Tr, t.n_af, False, w, F)
    _regulate(prev, tick, s0, s, p, fresh or switched, L, F)

    keep_posture(tick, s, c.is_dynamic, J, MJ, L, tau)
    _observe(prev, tick, s0, s, p)
    for j in range(n):
        tau[j] += t.c[j] - c.friction_share * now.friction[j]
        for i in range(6):
            tau[j] += J[i, j] * F[i]
    bumpless(prev, tick, tau, c.tau_rate_max)
    if turned or switched:
        restart_offset(prev, tick, tau)


@kernel
def _observe(
    prev: Row[Tick],
    tick: Row[Tick],
    s0: Row[State],
    s: Row[State],
    p: Row[HybridForceParams],
) -> None:
    """Write the observed friction; what was observed before this law is not known."""
    if p[0].friction_share == 0.0:
        return
    before = s0[0].friction if prev[0].law == tick[0].law else s[0].friction
    observe_friction(prev, tick, p[0].friction_time, p[0].friction_most, before, s[0].friction)


@kernel
def _jacobian(tick: Row[Tick], J: Array) -> None:
    """The tool's Jacobian in the axes of Tr."""
    t = tick[0]
    for j in range(J.shape[1]):
        unrotate_pair(t.X_WT[3:], t.J_W[:, j], J[:, j])
        to_frame(t.axes_frame, t.X_WF, t.X_WT, J[:, j], J[:, j])


@kernel
def _stay(prev: Row[Tick], tick: Row[Tick]) -> None:
    """Let an axis that was force-controlled until now stay where it is: drop its error."""
    a, t = prev[0], tick[0]
    Tr_before, Tr_now = scratch_matrix(6, 6), scratch_matrix(6, 6)
    tool_rows(a.axes_frame, a.X_WF, t.X_WT, a.Tr, Tr_before)
    tool_rows(t.axes_frame, t.X_WF, t.X_WT, t.Tr, Tr_now)
    drop_yielded(Tr_before, a.n_af, Tr_now, t.n_af, t.e_T)
    pose_step(t.X_WT, t.e_T, t.X_WR_seed)
    t.reseed = 1


@kernel
def _regulate(
    prev: Row[Tick],
    tick: Row[Tick],
    s0: Row[State],
    s: Row[State],
    p: Row[HybridForceParams],
    begins: bool,
    L: Array,
    F: Array,
) -> None:
    """Add force regulation along the force-controlled rows to F.

    With s the share of contact and e_f = w − w_d:

        F = s·(−w_d + k_p·e_f + ∫k_i·(e_f − D·v/(1 + k_p)) − D·v) + (1 − s)·D·(v_free − v)
            − D_stiffest·(v beyond max_speed)
    """
    t, c, before, now = tick[0], p[0], s0[0], s[0]
    beta = max(1.0, t.swing_gain)
    w, w_d, v, target = scratch(6), scratch(6), scratch(6), scratch(6)
    to_frame(t.axes_frame, t.X_WF, t.X_WT, t.w_T, w)
    to_frame(t.axes_frame, t.X_WF, t.X_WT, t.w_desired_T, w_d)
    unrotate_pair(t.X_WT[3:], t.v_WT_W, v)
    to_frame(t.axes_frame, t.X_WF, t.X_WT, v, v)
    target_along_axes(tick, target)
    held = prev[0].clipped & _TORQUE_CLIPPED != 0
    gain = now.force_p / beta
    for i in range(t.n_af):
        row = t.Tr[i]
        linear = row[0] * row[0] + row[1] * row[1] + row[2] * row[2] >= 0.5
        mass = effective_mass(L, row)
        D = row_damping(mass, t.k_contact[i], gain, linear, beta, t.dt)
        desired = along(t.Tr, i, w_d)
        error = along(t.Tr, i, w) - desired
        # what of the error the damper does not explain is friction; it is found no faster than half
        # as fast as the tool settles on the surface
        speed_now = along(t.Tr, i, v)
        unexplained = error - D * speed_now / (1.0 + gain)
        quickest = 0.5 * (1.0 + gain) * sqrt((1.0 + gain) * t.k_contact[i] / mass)
        k_i = min(c.force_i / beta, quickest)
        limit = c.force_i_limit[0] if linear else c.force_i_limit[1]
        old = 0.0 if begins else before.integral[i]
        now.integral[i] = integrate_error(tick, i, linear, unexplained, k_i, limit, held, old)
        touching = t.touching[i] != 0
        was = (1.0 if touching else 0.0) if begins else before.share[i]
        now.share[i] = contact_share(was, touching, t.dt)
        most = c.max_speed[0] if linear else c.max_speed[1]
        speed = approach_speed(mass, linear, along(t.Tr, i, target), c.contact_peak)
        speed = min(speed, most)
        push = -desired + gain * error
        # no harder than the force itself pushes: the touch is felt some milliseconds later
        free = D * (free_speed(push, linear, speed) - speed_now)
        free = max(-abs(push), min(abs(push), free))
        share = now.share[i]
        pressed = push + now.integral[i] - D * speed_now
        force = share * pressed + (1.0 - share) * free
        force -= braking(mass, linear, gain, beta, speed_now, most, t.dt)
        add_along(t.Tr, i, force, F)
        t.D_row[i], t.v_row[i] = D, speed
