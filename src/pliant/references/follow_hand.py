"""The reference that follows the hand: wrench → velocity of the tool → joints."""

import numpy as np

from pliant.filters import dead_band, smoothing
from pliant.kernels import Row, kernel
from pliant.linalg import cholesky, cholesky_solve
from pliant.motion import brake_speed, cap3
from pliant.references.kinds import RefKind
from pliant.references.parameters import JointsParams
from pliant.spatial import Array, norm3, rotate_pair
from pliant.tick import Tick

_FOLLOW_HAND = RefKind.FOLLOW_HAND.value

# Damping of the least squares, m: always, and while joints are held at a limit, where the others
# may not be able to move the tool at all.
_DAMPING = 0.005
_DAMPING_HELD = 0.03

# How long what the joints do without the tool takes to come to rest, s.
_IDLE_TIME = 0.1

# Share of a joint's acceleration that braking before its limit may use; the rest is for the law.
_BRAKING = 0.4


@kernel
def follow_hand(prev: Row[Tick], tick: Row[Tick], p: Row[JointsParams]) -> None:
    """Move the joints' reference so that the tool goes where the hand pushes it.

    (τ·d/dt + 1)²·v = S·w within the limits of speed and acceleration, where w is the hand's wrench
    beyond the dead band; then q̇ = J⁺·v, damped near a singularity. A joint that comes to its limit
    stops, and the others go on without it as far as they can. What the joints moved without the
    tool comes to rest.
    """
    a, t, c = prev[0], tick[0], p[0]
    n = t.q_ref.shape[0]
    v, goal, jerk, acc = np.zeros(6), np.empty(6), np.empty(6), np.empty(6)
    qd, idle = np.empty(n), np.empty(n)
    for i in range(6):
        for j in range(n):
            v[i] += t.J_W[i, j] * t.qd_ref[j]
    damping = max(a.dls_damping, _DAMPING)
    least_squares(t.J_W, v, np.zeros(n), damping, idle)
    for j in range(n):
        idle[j] = (t.qd_ref[j] - idle[j]) * (1.0 - t.dt / _IDLE_TIME)
    _feel(prev, tick, p)
    _wanted_velocity(tick, p, goal)
    lag = c.time_constant
    for i in range(6):
        jerk[i] = (goal[i] - v[i]) / (lag * lag) - 2.0 * a.a_WR_W[i] / lag
    for half in range(2):
        # what the lag can make of the acceleration; more would be a jump of the torque
        most = c.max_acceleration[half]
        cap3(jerk[3 * half : 3 * half + 3], 2.0 * most / lag)
        for i in range(3 * half, 3 * half + 3):
            acc[i] = a.a_WR_W[i] + t.dt * jerk[i]
        cap3(acc[3 * half : 3 * half + 3], most)
    for i in range(6):
        v[i] += t.dt * acc[i]
    _joint_velocities(tick, p, damping, v, idle, qd)
    for j in range(n):
        room = c.qdd_max[j] * t.dt
        step = max(-room, min(room, qd[j] - t.qd_ref[j]))
        t.qdd_ref[j] = step / t.dt
        t.qd_ref[j] += step
        t.q_ref[j] += t.qd_ref[j] * t.dt
    t.ref_done = 0


@kernel
def _feel(prev: Row[Tick], tick: Row[Tick], p: Row[JointsParams]) -> None:
    """The hand's wrench, without what may be noise; it keeps its direction."""
    a, t, c = prev[0], tick[0], p[0]
    if c.by_sensor:
        t.w_hand_T[:] = t.w_T[:]
        return
    goes_on = a.ref_kind == _FOLLOW_HAND and a.law_seq == t.law_seq
    share = smoothing(c.cutoff, t.dt)
    for i in range(6):
        before = a.w_hand_T[i] if goes_on else 0.0
        t.w_hand_T[i] = before + share * (t.w_ext_T[i] - before)


@kernel
def _wanted_velocity(tick: Row[Tick], p: Row[JointsParams], out: Array) -> None:
    """The velocity of the tool that the hand asks for, in W."""
    t, c = tick[0], p[0]
    for half in range(2):
        part = out[3 * half : 3 * half + 3]
        part[:] = t.w_hand_T[3 * half : 3 * half + 3]
        size = norm3(part)
        if not c.by_sensor and size > 0.0:
            part *= dead_band(size, c.dead_band[half]) / size
    if not c.tool_axes:
        rotate_pair(t.X_WT[3:], out, out)
    for i in range(6):
        out[i] *= c.scale[i]
    if c.tool_axes:
        rotate_pair(t.X_WT[3:], out, out)
    cap3(out[:3], c.max_speed[0])
    cap3(out[3:], c.max_speed[1])


@kernel
def _joint_velocities(
    tick: Row[Tick], p: Row[JointsParams], damping: float, v: Array, idle: Array, qd: Array
) -> None:
    """Joint velocities for a velocity of the tool, none beyond what its limits allow."""
    t, c = tick[0], p[0]
    n = qd.shape[0]
    held = np.zeros(n)
    for _ in range(n):
        least_squares(t.J_W, v, held, damping, qd)
        again = False
        for j in range(n):
            if held[j] == 0.0:
                qd[j] += idle[j]
        for j in range(n):
            up = brake_speed(max(0.0, c.q_max[j] - t.q_ref[j]), _BRAKING * c.qdd_max[j], t.dt)
            down = brake_speed(max(0.0, t.q_ref[j] - c.q_min[j]), _BRAKING * c.qdd_max[j], t.dt)
            allowed = max(-down, min(up, qd[j]))
            if allowed != qd[j]:
                qd[j] = allowed
                held[j] = 1.0
                again = True
        if not again:
            break
        damping = max(damping, _DAMPING_HELD)
    scale = 1.0
    for j in range(n):
        if abs(qd[j]) * scale > c.qd_max[j]:
            scale = c.qd_max[j] / abs(qd[j])
    for j in range(n):
        qd[j] *= scale


@kernel
def least_squares(J: Array, v: Array, held: Array, damping: float, qd: Array) -> None:
    """qd of the joints not held, by damped least squares, given that of those held."""
    A, y = np.zeros((6, 6)), np.empty(6)
    for i in range(6):
        y[i] = v[i]
        A[i, i] = damping * damping
    for j in range(qd.shape[0]):
        for i in range(6):
            if held[j] != 0.0:
                y[i] -= J[i, j] * qd[j]
                continue
            for k in range(i + 1):
                A[i, k] += J[i, j] * J[k, j]
    cholesky(A)
    cholesky_solve(A, y)
    for j in range(qd.shape[0]):
        if held[j] == 0.0:
            qd[j] = 0.0
            for i in range(6):
                qd[j] += J[i, j] * y[i]
