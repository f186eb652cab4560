"""One tick of the hybrid admittance law."""

from pliant.laws.gain_ramp import gain_share
from pliant.laws.hybrid_admittance.config import HybridConfig
from pliant.laws.hybrid_admittance.subspace import accelerate, add_along, along, project
from pliant.laws.law_base import advance, integration_start, is_fresh, limit_twist, no_torque
from pliant.numerics.filters import dead_band
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.profiles import approach3, cap3, pursue3
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import (
    Array,
    cross,
    norm3,
    pose_error,
    pose_step,
    pose_step_first_order,
    quat_unrotate,
    rotate_pair,
    unrotate_pair,
)
from pliant.tick import Tick, column, table_dtype

_WORLD = 1


class State:
    """State of the law."""

    K: Array = column("law", (6,), "N/m, N·m/rad", "Stiffness now.")
    D: Array = column("law", (6,), "N·s/m, N·m·s/rad", "Damping now.")
    M: Array = column("law", (6,), "kg, kg·m²", "Inertia now.")
    G: Array = column("law", (6,), "1", "Share of the reference's velocity fed forward.")
    w_ramped: Array = column(
        "law", (6,), "N, N·m", "Wrench target now, ramped, in the axes of w_target."
    )
    V_W: Array = column(
        "law", (6,), "m/s, rad/s", "Spatial velocity; only first-order integration uses it."
    )
    spring_T: Array = column("law", (6,), "N, N·m", "Spring wrench after its caps, in T.")
    error_T: Array = column("law", (6,), "N, N·m", "Sensed minus desired wrench, in T.")
    integral_T: Array = column("law", (6,), "N·s, N·m·s", "Integral of the force error, in T.")


_STATE = table_dtype(State, 0)
_STATE_SIZE = _STATE.itemsize // 8
"""Doubles of the state block that the law uses."""


@kernel
def ramp_gains(fresh: bool, dt: float, s0: Row[State], s: Row[State], p: Row[HybridConfig]) -> None:
    """Move the gains towards the configured ones.

    All gains make the same share of their remaining change, so D/M stays between the old and the
    new ratio, and the bound on D·dt/M holds during the ramp too.
    """
    a, t, c = s0[0], s[0], p[0]
    share = gain_share(c.gain_ramp, fresh, dt)
    for i in range(6):
        t.K[i] = a.K[i] + share * (c.stiffness[i] - a.K[i])
        t.D[i] = a.D[i] + share * (c.total_damping[i] - a.D[i])
        t.M[i] = a.M[i] + share * (c.inertia[i] - a.M[i])
        t.G[i] = a.G[i] + share * (c.feed_forward[i] - a.G[i])


@kernel
def ramp_wrench(
    fresh: bool,
    prev: Row[Tick],
    tick: Row[Tick],
    s0: Row[State],
    s: Row[State],
    p: Row[HybridConfig],
) -> None:
    """Approach the wrench target; a world target keeps its direction while the tool turns.

    After activation, or a change of axes, the ramp starts at the measured wrench, so that the
    initial force error is zero.
    """
    a, t, c = prev[0], tick[0], p[0]
    now = s[0].w_ramped
    if fresh or t.axes_seq != a.axes_seq:
        now[:] = t.w_T[:]
        if t.w_target_frame == _WORLD:
            rotate_pair(t.X_WT[3:], now, now)
    elif t.w_target_frame != a.w_target_frame:
        now[:] = a.w_desired_T[:]
        if t.w_target_frame == _WORLD:
            rotate_pair(t.X_WT[3:], now, now)
    else:
        now[:] = s0[0].w_ramped[:]
    approach3(now[:3], t.w_target[:3], c.wrench_rate[0] * t.dt, now[:3])
    approach3(now[3:], t.w_target[3:], c.wrench_rate[1] * t.dt, now[3:])
    if t.w_target_frame == _WORLD:
        unrotate_pair(t.X_WT[3:], now, t.w_desired_T)
    else:
        t.w_desired_T[:] = now[:]


@kernel
def spring_error(fresh: bool, prev: Row[Tick], tick: Row[Tick], X_WC: Array) -> None:
    """Write e_T, the error from the commanded pose to the reference.

    Where an axis was force-controlled until now, its error is dropped, and the reference is
    requested to continue from there: the arm stays where it is.
    """
    a, t = prev[0], tick[0]
    pose_error(X_WC, t.X_WR, t.e_T)
    t.reseed = 0
    t.X_WR_seed[:] = t.X_WR[:]
    if fresh or t.axes_seq == a.axes_seq:
        return
    drop_yielded(a.Tr, a.n_af, t.Tr, t.n_af, t.e_T)
    pose_step(X_WC, t.e_T, t.X_WR_seed)
    t.reseed = 1


@kernel
def drop_yielded(Tr_before: Array, n_before: int, Tr: Array, n_af: int, e_T: Array) -> None:
    """Drop the error along axes that were force-controlled and no longer are."""
    yielded, off = scratch(6), scratch(6)
    project(Tr_before, n_before, True, e_T, yielded)
    project(Tr, n_af, False, yielded, off)
    for i in range(6):
        e_T[i] -= off[i]


@kernel
def add_pid(
    fresh: bool,
    pulled_back: bool,
    prev: Row[Tick],
    tick: Row[Tick],
    s0: Row[State],
    s: Row[State],
    p: Row[HybridConfig],
    F_r: Array,
) -> None:
    """Add P, I and D on the force error in the force-controlled subspace to its rows.

    Anti-windup: while a limit of the law or of safety acts, or the arm did not follow, the integral
    may shrink but not grow. The derivative is zero in the first tick of an error.
    """
    a, t, c = prev[0], tick[0], p[0]
    before, now = s0[0], s[0]
    held = pulled_back or a.clipped != 0 or a.law_limited != 0
    restarted = fresh or t.axes_seq != a.axes_seq
    error, error_before, pid = scratch(6), scratch(6), scratch(6)
    project(t.Tr, t.n_af, True, now.error_T, error)
    project(t.Tr, t.n_af, True, before.error_T, error_before)
    project(t.Tr, t.n_af, True, before.integral_T, now.integral_T)
    for i in range(6):
        old = 0.0 if fresh else now.integral_T[i]
        new = old + error[i] * t.dt
        new = max(-c.pid_i_limit[i], min(c.pid_i_limit[i], new))
        if held and abs(new) > abs(old):
            new = old
        now.integral_T[i] = new
        slope = 0.0 if restarted else (error[i] - error_before[i]) / t.dt
        pid[i] = c.pid_p[i] * error[i] + c.pid_i[i] * new + c.pid_d[i] * slope
    for i in range(t.n_af):
        F_r[i] += along(t.Tr, i, pid)


@kernel
def track_reference(
    tick: Row[Tick], p: Row[HybridConfig], v: Array, v_ref: Array, out: Array
) -> None:
    """Write the velocity with which rigid axes follow the reference.

    Only the error along the rigid axes counts: they stay on their reference however far the others
    have yielded. The axes turn with the tool, relative to which the reference moves by −ω × e.
    """
    t, c = tick[0], p[0]
    off, v_goal = scratch(6), scratch(6)
    cross(t.e_T[:3], v[3:], out[:3])
    for i in range(3):
        out[i] += v_ref[i]
        out[3 + i] = v_ref[3 + i]
    project(t.Tr, t.n_af, False, t.e_T, off)
    project(t.Tr, t.n_af, False, out, v_goal)
    pursue3(off[:3], v_goal[:3], c.max_acceleration[0], t.dt, out[:3])
    pursue3(off[3:], v_goal[3:], c.max_acceleration[1], t.dt, out[3:])


@kernel
def to_spatial(X_WT: Array, v_T: Array, out: Array) -> None:
    """Convert a velocity of T, expressed in T, to a spatial velocity in W at W's origin."""
    moment = scratch(3)
    rotate_pair(X_WT[3:], v_T, out)
    cross(X_WT[:3], out[3:], moment)
    for i in range(3):
        out[i] += moment[i]


@kernel
def from_spatial(X_WT: Array, V_W: Array, out: Array) -> None:
    """The inverse of `to_spatial`."""
    moment = scratch(3)
    cross(V_W[3:], X_WT[:3], moment)
    for i in range(3):
        moment[i] += V_W[i]
    quat_unrotate(X_WT[3:], moment, out[:3])
    quat_unrotate(X_WT[3:], V_W[3:], out[3:])


@kernel
def _is_unloaded(tick: Row[Tick], s: Row[State], i: int) -> bool:
    """Whether force error and spring are both zero along row i of Tr."""
    Tr = tick[0].Tr
    return along(Tr, i, s[0].error_T) == 0.0 and along(Tr, i, s[0].spring_T) == 0.0


@kernel
def _spring_and_force_error(tick: Row[Tick], s: Row[State], p: Row[HybridConfig]) -> None:
    """Write the capped spring wrench, and the force error."""
    t, now, c = tick[0], s[0], p[0]
    for i in range(6):
        now.spring_T[i] = now.K[i] * t.e_T[i]
        now.error_T[i] = t.w_T[i] - t.w_desired_T[i]
    cap3(now.spring_T[:3], c.max_spring_force)
    cap3(now.spring_T[3:], c.max_spring_torque)


@kernel
def _integrate(tick: Row[Tick], s: Row[State], first_order: bool, X_WC: Array, step: Array) -> None:
    """Move the commanded pose by one period of `v_cmd_T`; overwrites `step`."""
    t, now = tick[0], s[0]
    if first_order:
        to_spatial(X_WC, t.v_cmd_T, now.V_W)
        for i in range(6):
            step[i] = t.v_cmd_T[i] * t.dt
        pose_step_first_order(X_WC, step, t.X_WT_cmd)
    else:
        now.V_W[:] = 0.0
        advance(X_WC, t.v_cmd_T, t.dt, t.X_WT_cmd)


@kernel
def hybrid_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[HybridConfig]) -> None:
    """One step of M·a + D·v + K·x = w_sensed − w_desired on the force-controlled axes.

    e is the error from the commanded pose to the reference, S are the first n_af rows of Tr, P the
    others; all in the axes of the tool:

        F  = S·(K·e − D·(v − G·v_ref) + w − w_d + pid)
        v⁺ = Sᵀ·(S·v + dt·(S·M·Sᵀ)⁻¹·F) + Pᵀ·P·v_track
        X⁺ = X·exp(dt·v⁺)
    """
    a, t, c = prev[0], tick[0], p[0]
    # viewed here, because passing them in would cost a third of the arithmetic
    s0 = a.law_state[:_STATE_SIZE].view(_STATE)
    s = t.law_state[:_STATE_SIZE].view(_STATE)
    now = s[0]
    dt = t.dt
    fresh = is_fresh(prev, tick)
    # the row still holds the state of another law, or of two ticks ago
    t.law_state[_STATE_SIZE:] = 0.0
    no_torque(tick)
    X_WC, work = scratch(7), scratch_matrix(6, 6)
    v, v_ref, passive, F_r, track, wanted = work[0], work[1], work[2], work[3], work[4], work[5]
    pulled_back = integration_start(prev, tick, X_WC, v)
    if c.is_first_order and not fresh and not pulled_back:
        from_spatial(X_WC, s0[0].V_W, v)
    unrotate_pair(X_WC[3:], t.v_WR_W, v_ref)

    ramp_gains(fresh, dt, s0, s, p)
    ramp_wrench(fresh, prev, tick, s0, s, p)
    spring_error(fresh, prev, tick, X_WC)
    _spring_and_force_error(tick, s, p)

    # F along the rows of Tr, then the acceleration along them
    for i in range(6):
        passive[i] = now.spring_T[i] - now.D[i] * (v[i] - now.G[i] * v_ref[i])
    n = 6 if c.rigid_by_spring else t.n_af
    for i in range(n):
        F_r[i] = along(t.Tr, i, passive)
        if i < t.n_af:
            F_r[i] += dead_band(along(t.Tr, i, now.error_T), c.stiction[i])
    now.integral_T[:] = 0.0
    if c.has_pid:
        add_pid(fresh, pulled_back, prev, tick, s0, s, p, F_r)
    accelerate(t.Tr, n, now.M, F_r)

    # v⁺: compliant rows accelerate, rigid rows follow the reference
    if n < 6:
        track_reference(tick, p, v, v_ref, track)
    at_rest = norm3(v[:3]) < c.drift_reset[0] and norm3(v[3:]) < c.drift_reset[1]
    wanted[:] = 0.0
    for i in range(6):
        if i >= n:
            add_along(t.Tr, i, along(t.Tr, i, track), wanted)
        elif not (at_rest and i < t.n_af and _is_unloaded(tick, s, i)):
            add_along(t.Tr, i, along(t.Tr, i, v) + dt * F_r[i], wanted)
    t.law_limited = limit_twist(v, wanted, c.max_acceleration, c.max_speed, dt, t.v_cmd_T)
    _integrate(tick, s, c.is_first_order, X_WC, wanted)
