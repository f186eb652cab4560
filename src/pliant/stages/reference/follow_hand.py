"""Guiding by hand: wrench → velocity of the tool → joint reference."""

import numpy as np

from pliant.numerics.filters import dead_band, smoothing
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.linalg import cholesky, cholesky_solve
from pliant.numerics.profiles import brake_speed, cap3
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import Array, rotate_pair
from pliant.stages.reference.joint_parameters import JointReferenceParams
from pliant.stages.reference.kinds import RefKind
from pliant.tick import Tick

_FOLLOW_HAND = RefKind.FOLLOW_HAND.value

# Smallest damping of the least squares, m: with some joints held at a limit the others may hardly
# be able to move the tool.
_DAMPING = 0.02

# Share of the joints' speed and acceleration limits that motion of the tool may use.
_USED = 0.8

# Time constant with which null-space motion of the joints decays, s.
_NULL_SPACE_DECAY = 0.1

# Share of a joint's acceleration that braking before its limit may use; the rest is for the law.
_BRAKING = 0.4
# Rate at which a joint may approach its limit, 1/s.
_APPROACH = 5.0


@kernel
def follow_hand(prev: Row[Tick], tick: Row[Tick], p: Row[JointReferenceParams]) -> None:
    """Move the joint reference so that the tool follows the push of the hand.

    (τ·d/dt + 1)²·v = S·w within the limits of speed and acceleration, where w is the hand's wrench
    after the dead band; then q̈ = J⁺·(v̇ − J̇·q̇), damped near a singularity. A joint at its limit
    stops, and the others continue as far as they can. Null-space motion decays.
    """
    a, t, c = prev[0], tick[0], p[0]
    n = t.q_ref.shape[0]
    v, goal, jerk, acc = np.zeros(6), scratch(6), scratch(6), scratch(6)
    qd, base = np.empty(n), np.empty(n)
    for i in range(6):
        for j in range(n):
            v[i] += t.J_W[i, j] * t.qd_ref[j]
    damping = max(a.dls_damping, _DAMPING)
    nothing = np.zeros(n)
    least_squares(t.J_W, v, nothing, nothing, damping, base)
    for j in range(n):
        base[j] = t.qd_ref[j] - (t.qd_ref[j] - base[j]) * t.dt / _NULL_SPACE_DECAY
    _filter_hand(prev, tick, p)
    _wanted_velocity(tick, p, goal)
    _reduce_to_joint_limits(t.J_W, damping, c.qd_max, goal)
    lag = c.time_constant
    acc[:] = a.a_WR_W[:]
    for half in range(2):
        most = c.max_acceleration[half]
        k = 3 * half
        cap3(acc[k : k + 3], most)
        for i in range(k, k + 3):
            jerk[i] = (goal[i] - v[i]) / (lag * lag) - 2.0 * acc[i] / lag
        # bounded by the lag; a larger jerk would be a jump of the torque
        cap3(jerk[k : k + 3], 2.0 * most / lag)
        for i in range(k, k + 3):
            acc[i] += t.dt * jerk[i]
        cap3(acc[k : k + 3], most)
    _reduce_to_joint_limits(t.J_W, damping, c.qdd_max, acc)
    for i in range(6):
        acc[i] = t.dt * (acc[i] - t.a_bias_W[i])
    _joint_velocities(tick, p, damping, acc, base, qd)
    share = 1.0
    for j in range(n):
        room = c.qdd_max[j] * t.dt
        if abs(qd[j] - t.qd_ref[j]) * share > room:
            share = room / abs(qd[j] - t.qd_ref[j])
    for j in range(n):
        t.qdd_ref[j] = share * (qd[j] - t.qd_ref[j]) / t.dt
        t.qd_ref[j] += t.qdd_ref[j] * t.dt
        t.q_ref[j] += t.qd_ref[j] * t.dt
    t.ref_done = 0


@kernel
def _continues(prev: Row[Tick], tick: Row[Tick]) -> bool:
    """Whether the hand was followed in the previous tick."""
    return prev[0].ref_kind == _FOLLOW_HAND and prev[0].law_seq == tick[0].law_seq


@kernel
def _filter_hand(prev: Row[Tick], tick: Row[Tick], p: Row[JointReferenceParams]) -> None:
    """Write the wrench of the hand, low-pass filtered."""
    a, t, c = prev[0], tick[0], p[0]
    if c.by_sensor:
        t.w_hand_T[:] = t.w_T[:]
        return
    continues = _continues(prev, tick)
    share = smoothing(c.cutoff, t.dt)
    for i in range(6):
        before = a.w_hand_T[i] if continues else 0.0
        t.w_hand_T[i] = before + share * (t.w_ext_T[i] - before)


@kernel
def _wanted_velocity(tick: Row[Tick], p: Row[JointReferenceParams], out: Array) -> None:
    """Write the velocity of the tool that the hand commands, in W."""
    t, c = tick[0], p[0]
    out[:] = t.w_hand_T[:]
    if not c.tool_axes:
        rotate_pair(t.X_WT[3:], out, out)
    for i in range(6):
        # axis by axis, so that errors of the estimate do not turn the direction of the push
        felt = out[i] if c.by_sensor else dead_band(out[i], c.dead_band[i // 3])
        # the oscillation observer makes the hand move more damping and inertia
        out[i] = felt * c.scale[i] / max(1.0, t.swing_gain)
    if c.tool_axes:
        rotate_pair(t.X_WT[3:], out, out)
    cap3(out[:3], c.max_speed[0])
    cap3(out[3:], c.max_speed[1])


@kernel
def _joint_velocities(
    tick: Row[Tick], p: Row[JointReferenceParams], damping: float, dv: Array, base: Array, qd: Array
) -> None:
    """Write joint velocities for a change dv of the tool's velocity, within the joint limits."""
    t, c = tick[0], p[0]
    n = qd.shape[0]
    held = np.zeros(n)
    for _ in range(n):
        least_squares(t.J_W, dv, base, held, damping, qd)
        worst, most, bound = -1, 0.0, 0.0
        for j in range(n):
            if held[j] != 0.0:
                continue
            up = _speed_towards(c.q_max[j] - t.q_ref[j], c.qdd_max[j], t.dt)
            down = _speed_towards(t.q_ref[j] - c.q_min[j], c.qdd_max[j], t.dt)
            allowed = max(-down, min(up, qd[j]))
            if abs(qd[j] - allowed) > most:
                worst, most, bound = j, abs(qd[j] - allowed), allowed
        if worst < 0:
            break
        # one at a time, because holding one joint may free another
        held[worst] = 1.0
        qd[worst] = bound
    scale = 1.0
    for j in range(n):
        if abs(qd[j]) * scale > c.qd_max[j]:
            scale = c.qd_max[j] / abs(qd[j])
    for j in range(n):
        qd[j] *= scale


@kernel
def _reduce_to_joint_limits(J: Array, damping: float, limits: Array, v: Array) -> None:
    """Reduce a velocity or acceleration of the tool, in place, to what the joints can follow.

    It loses its part in a singular direction, and is scaled to the joints' limits.
    """
    n = limits.shape[0]
    qd, nothing = np.empty(n), np.zeros(n)
    least_squares(J, v, nothing, nothing, damping, qd)
    scale = 1.0
    for j in range(n):
        if abs(qd[j]) * scale > _USED * limits[j]:
            scale = _USED * limits[j] / abs(qd[j])
    for i in range(6):
        v[i] = 0.0
        for j in range(n):
            v[i] += scale * J[i, j] * qd[j]


@kernel
def _speed_towards(room: float, acceleration: float, dt: float) -> float:
    """Largest speed of a joint towards a limit at distance `room`."""
    room = max(0.0, room)
    return min(_APPROACH * room, brake_speed(room, _BRAKING * acceleration, dt))


@kernel
def least_squares(J: Array, dv: Array, base: Array, held: Array, damping: float, qd: Array) -> None:
    """Write qd of the free joints that changes the tool's velocity by dv; held joints keep theirs.

    Damped least squares: the difference from `base` is minimal.
    """
    A, y = np.zeros((6, 6)), scratch(6)
    for i in range(6):
        y[i] = dv[i]
        A[i, i] = damping * damping
    for j in range(qd.shape[0]):
        for i in range(6):
            if held[j] != 0.0:
                y[i] -= J[i, j] * (qd[j] - base[j])
                continue
            for k in range(i + 1):
                A[i, k] += J[i, j] * J[k, j]
    cholesky(A)
    cholesky_solve(A, y)
    for j in range(qd.shape[0]):
        if held[j] == 0.0:
            qd[j] = base[j]
            for i in range(6):
                qd[j] += J[i, j] * y[i]
