"""One tick of the hybrid admittance law."""

from pliant.laws.gain_ramp import gain_share
from pliant.laws.hybrid_admittance.adaptive_rows import adapt_rows
from pliant.laws.hybrid_admittance.config import HybridConfig
from pliant.laws.hybrid_admittance.hybrid_state import STATE, STATE_SIZE, State
from pliant.laws.hybrid_admittance.subspace import (
    accelerate,
    add_along,
    along,
    drop_yielded,
    project,
    tool_rows,
)
from pliant.laws.law_base import advance, integration_start, is_fresh, limit_twist, no_torque
from pliant.laws.wrench_ramp import ramp_wrench
from pliant.numerics.filters import dead_band
from pliant.numerics.force_frame import TOOL, from_frame, to_frame
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.profiles import cap3, pursue3
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
from pliant.tick import Tick

# Distance from 0 or 1 at which a change to or from adaptive damping is complete.
_THERE = 1e-3


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
    t.adaptive = a.adaptive + share * (c.is_adaptive - a.adaptive)
    if abs(c.is_adaptive - t.adaptive) < _THERE:
        t.adaptive = float(c.is_adaptive)


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
    Tr_before, Tr_now = scratch_matrix(6, 6), scratch_matrix(6, 6)
    tool_rows(a.axes_frame, a.X_WF, X_WC, a.Tr, Tr_before)
    tool_rows(t.axes_frame, t.X_WF, X_WC, t.Tr, Tr_now)
    drop_yielded(Tr_before, a.n_af, Tr_now, t.n_af, t.e_T)
    pose_step(X_WC, t.e_T, t.X_WR_seed)
    t.reseed = 1


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
    tick: Row[Tick], p: Row[HybridConfig], e: Array, v: Array, v_ref: Array, out: Array
) -> None:
    """Write the velocity with which rigid axes follow the reference.

    Only the error e along the rigid axes counts: they stay on their reference however far the
    others have yielded. Axes of the tool turn with it; relative to them the reference moves by
    −ω × e.
    """
    t, c = tick[0], p[0]
    off, v_goal = scratch(6), scratch(6)
    if t.axes_frame == TOOL:
        cross(e[:3], v[3:], out[:3])
    else:
        out[:3] = 0.0
    for i in range(3):
        out[i] += v_ref[i]
        out[3 + i] = v_ref[3 + i]
    project(t.Tr, t.n_af, False, e, off)
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
def _spring_and_force_error(tick: Row[Tick], s: Row[State], p: Row[HybridConfig], e: Array) -> None:
    """Write the capped spring wrench, and the force error, in the axes of Tr."""
    t, now, c = tick[0], s[0], p[0]
    for i in range(6):
        now.spring_T[i] = now.K[i] * e[i]
        now.error_T[i] = t.w_T[i] - t.w_desired_T[i]
    if t.axes_frame != TOOL:
        to_frame(t.axes_frame, t.X_WF, t.X_WT, now.error_T, now.error_T)
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
def _express(tick: Row[Tick], X_WC: Array, v_T: Array, e: Array, v: Array, v_ref: Array) -> None:
    """Write error and velocity in the axes of Tr; the velocity of the reference in place."""
    t = tick[0]
    to_frame(t.axes_frame, t.X_WF, X_WC, t.e_T, e)
    to_frame(t.axes_frame, t.X_WF, X_WC, v_T, v)
    if t.axes_frame != TOOL:
        to_frame(t.axes_frame, t.X_WF, X_WC, v_ref, v_ref)


@kernel
def _row_forces(
    tick: Row[Tick],
    s: Row[State],
    p: Row[HybridConfig],
    beta: float,
    n: int,
    v: Array,
    v_ref: Array,
    F_r: Array,
) -> None:
    """Write spring, damper and force error along the first n rows."""
    t, now, passive = tick[0], s[0], scratch(6)
    for i in range(6):
        passive[i] = now.spring_T[i] - beta * now.D[i] * (v[i] - now.G[i] * v_ref[i])
    for i in range(n):
        F_r[i] = along(t.Tr, i, passive)
        if i < t.n_af:
            F_r[i] += dead_band(along(t.Tr, i, now.error_T), p[0].stiction[i])


@kernel
def _next_velocity(
    tick: Row[Tick],
    s: Row[State],
    p: Row[HybridConfig],
    n: int,
    v: Array,
    a_r: Array,
    track: Array,
    wanted: Array,
) -> None:
    """Write v⁺: the first n rows accelerate, the others follow the reference."""
    t, c = tick[0], p[0]
    at_rest = norm3(v[:3]) < c.drift_reset[0] and norm3(v[3:]) < c.drift_reset[1]
    wanted[:] = 0.0
    for i in range(6):
        if i >= n:
            add_along(t.Tr, i, along(t.Tr, i, track), wanted)
        elif not (at_rest and i < t.n_af and _is_unloaded(tick, s, i)):
            add_along(t.Tr, i, along(t.Tr, i, v) + t.dt * a_r[i], wanted)


@kernel
def hybrid_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[HybridConfig]) -> None:
    """One step of M·a + D·v + K·x = w_sensed − w_desired on the force-controlled axes.

    e is the error from the commanded pose to the reference, S are the first n_af rows of Tr, P the
    others; all in the axes of Tr, at the TCP. β is the factor of the oscillation observer:

        F  = S·(K·e − β·D·(v − G·v_ref) + w − w_d + pid)
        v⁺ = Sᵀ·(S·v + dt·(S·β·M·Sᵀ)⁻¹·F) + Pᵀ·P·v_track
        X⁺ = X·exp(dt·v⁺)

    Under adaptive damping, D and M of a row, and a limit of its speed, come from the contact stage.
    """
    a, t, c = prev[0], tick[0], p[0]
    # viewed here, because passing them in would cost a third of the arithmetic
    s0 = a.law_state[:STATE_SIZE].view(STATE)
    s = t.law_state[:STATE_SIZE].view(STATE)
    now = s[0]
    dt = t.dt
    fresh = is_fresh(prev, tick)
    beta = max(1.0, t.swing_gain)
    # the row still holds the state of another law, or of two ticks ago
    t.law_state[STATE_SIZE:] = 0.0
    no_torque(tick)
    X_WC, work = scratch(7), scratch_matrix(7, 6)
    v_T, v_ref, F_r, track, wanted = work[0], work[1], work[2], work[3], work[4]
    e, v = work[5], work[6]
    pulled_back = integration_start(prev, tick, X_WC, v_T)
    if c.is_first_order and not fresh and not pulled_back:
        from_spatial(X_WC, s0[0].V_W, v_T)
    unrotate_pair(X_WC[3:], t.v_WR_W, v_ref)

    ramp_gains(fresh, dt, s0, s, p)
    ramp_wrench(fresh, prev, tick, c.wrench_rate, s0[0].w_ramped, now.w_ramped)
    spring_error(fresh, prev, tick, X_WC)
    _express(tick, X_WC, v_T, e, v, v_ref)
    _spring_and_force_error(tick, s, p, e)

    # F along the rows of Tr, then the acceleration along them
    n = 6 if c.rigid_by_spring else t.n_af
    _row_forces(tick, s, p, beta, n, v, v_ref, F_r)
    now.integral_T[:] = 0.0
    if c.has_pid:
        add_pid(fresh, pulled_back, prev, tick, s0, s, p, F_r)
    track[:n] = F_r[:n]
    accelerate(t.Tr, n, now.M, F_r)
    for i in range(n):
        F_r[i] /= beta
    limited = adapt_rows(tick, s, p, beta, v, v_ref, track, F_r)

    if n < 6:
        track_reference(tick, p, e, v, v_ref, track)
    _next_velocity(tick, s, p, n, v, F_r, track, wanted)
    if t.axes_frame != TOOL:
        from_frame(t.axes_frame, t.X_WF, X_WC, wanted, wanted)
    t.law_limited = limit_twist(v_T, wanted, c.max_acceleration, c.max_speed, dt, t.v_cmd_T)
    t.law_limited |= limited
    _integrate(tick, s, c.is_first_order, X_WC, wanted)
