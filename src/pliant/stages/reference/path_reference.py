"""The path reference: the tool follows a timed path, its velocity and acceleration fed forward."""

from math import inf

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.profiles import SETTLING_3, brake_speed
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import (
    Array,
    norm3,
    pose_error,
    pose_step,
    quat_align,
    quat_exp,
    quat_multiply,
    rotate_pair,
    unrotate_pair,
)
from pliant.stages.reference.config import ReferenceConfig
from pliant.stages.reference.curves import decay, go_on
from pliant.stages.reference.kinds import RefKind
from pliant.stages.reference.path_spline import ToolPath, on_segment, turning
from pliant.tick import Tick

_PATH = RefKind.PATH.value

# Difference from the last point, m or rad, and speed below which a path has ended.
_ARRIVED = 1e-6
# Time in which a path slows down to wait for an arm that a limit holds back, s.
_SLOW_DOWN = 0.1
# Least share of the acceleration limits with which a path that ends in motion comes to rest.
_END_SHARE = 0.25


@kernel
def _advance(
    prev: Row[Tick],
    tick: Row[Tick],
    p: Row[ReferenceConfig],
    path: ToolPath,
    end: float,
    held_back: bool,
) -> tuple[float, float]:
    """Write phase and rate on the path; return those of the previous tick."""
    a, t = prev[0], tick[0]
    continues = a.ref_kind == _PATH and a.ref_since == t.ref_since and a.law_seq == t.law_seq
    phase = a.ref_phase if continues else -t.ref_time
    before = a.ref_rate if continues else 1.0
    change = -t.dt / _SLOW_DOWN if held_back and phase >= 0.0 else t.dt / _SLOW_DOWN
    t.ref_rate = max(0.0, min(1.0, before + change))
    if end > phase >= 0.0:
        t.ref_rate = min(t.ref_rate, brake_speed(end - phase, _end_braking(path, p), t.dt))
    t.ref_phase = min(end, phase + t.ref_rate * t.dt)
    return phase, before


@kernel
def path_kernel(
    prev: Row[Tick],
    tick: Row[Tick],
    p: Row[ReferenceConfig],
    path: ToolPath,
    start: Array,
    v_W: Array,
    held_back: bool,
) -> None:
    """Move the tool's reference onto the path, along it, and to rest at its last point.

    Before phase 0 the reference runs up: from where it is, by minimum jerk, to the first point with
    the velocity and acceleration that the path has there. From phase 0 on it is on the path. While
    a limit holds the arm back, the path slows down and waits. A path that ends in motion slows down
    before its end, so that the tool comes to rest at the last point and never beyond it.

    Args:
        prev: The previous tick.
        tick: This tick.
        p: The parameters.
        path: The path.
        start: Pose from which the reference continues.
        v_W: Its velocity there, in W.
        held_back: Whether a limit holds the arm back.
    """
    a, t = prev[0], tick[0]
    end = float(path.time[path.time.shape[0] - 1])
    phase, before = _advance(prev, tick, p, path, end, held_back)
    # pose; velocity and acceleration in W, by row
    X, then, now, r = scratch(7), scratch_matrix(2, 6), scratch_matrix(2, 6), scratch_matrix(3, 6)
    place_on_path(path, phase, before, 0.0, X, then)
    pose_error(X, start, r[0])
    rotate_pair(X[3:], r[0], r[0])
    rate = SETTLING_3 / p[0].settle
    for i in range(6):
        r[1, i] = v_W[i] - then[0, i]
        r[2, i] = a.a_WR_W[i] - then[1, i]
        if phase < 0.0:
            r[0, i], r[1, i], r[2, i] = go_on(r[0, i], r[1, i], r[2, i], 0.0, -phase, t.dt)
            continue
        # on the path a change of rate is part of the acceleration: the difference has the one with
        # which it decays critically damped
        r[2, i] = -rate * (2.0 * r[1, i] + rate * r[0, i])
        r[0, i], r[1, i], r[2, i] = decay(r[0, i], r[1, i], r[2, i], rate, t.dt)
    place_on_path(path, t.ref_phase, t.ref_rate, (t.ref_rate - before) / t.dt, X, now)
    unrotate_pair(X[3:], r[0], r[0])
    pose_step(X, r[0], t.X_WR)
    quat_align(t.X_WR[3:], a.X_WR[3:])
    for i in range(6):
        t.v_WR_W[i] = now[0, i] + r[1, i]
        t.a_WR_W[i] = now[1, i] + r[2, i]
    far = max(norm3(r[0, :3]), norm3(r[0, 3:]))
    fast = max(norm3(t.v_WR_W[:3]), norm3(t.v_WR_W[3:]))
    t.ref_done = 1 if t.ref_phase >= end and far < _ARRIVED and fast < _ARRIVED else 0


@kernel
def _end_braking(path: ToolPath, p: Row[ReferenceConfig]) -> float:
    """How fast the rate of a path may fall to 0 at its end, 1/s; infinite if it ends at rest.

    The path's own acceleration there counts against the limits.
    """
    last = path.time.shape[0] - 1
    place, omega, alpha = scratch_matrix(3, 7), scratch(3), scratch(3)
    on_segment(path.time, path.knots, last - 1, float(path.time[last]), place)
    turning(place, omega, alpha)
    braking = inf
    for part in range(2):
        limit = p[0].max_acceleration[part]
        speed = norm3(place[1, :3]) if part == 0 else norm3(omega)
        own = norm3(place[2, :3]) if part == 0 else norm3(alpha)
        if speed > 0.0:
            braking = min(braking, max(_END_SHARE * limit, limit - own) / speed)
    return braking


@kernel
def place_on_path(
    path: ToolPath, phase: float, rate: float, rate_slope: float, X: Array, motion: Array
) -> None:
    """Write the pose at a phase, with velocity and acceleration in W by row.

    Before the path it moves on with the velocity and acceleration of its first point, backwards in
    time; from the end on it rests at the last point.
    """
    time, knots = path.time, path.knots
    last = time.shape[0] - 1
    inside = max(0.0, min(float(time[last]), phase))
    k = min(last - 1, max(0, np.searchsorted(time, inside) - 1))
    place, omega, alpha = scratch_matrix(3, 7), scratch(3), scratch(3)
    on_segment(time, knots, k, inside, place)
    turning(place, omega, alpha)
    X[:] = place[0]
    if phase >= time[last]:
        motion[:] = 0.0
        return
    for i in range(3):
        motion[0, i], motion[0, 3 + i] = rate * place[1, i], rate * omega[i]
        motion[1, i] = rate * rate * place[2, i] + rate_slope * place[1, i]
        motion[1, 3 + i] = rate * rate * alpha[i] + rate_slope * omega[i]
    if phase < 0.0:
        turn, q = scratch(3), scratch(4)
        for i in range(3):
            X[i] += phase * (place[1, i] + 0.5 * phase * place[2, i])
            turn[i] = phase * (omega[i] + 0.5 * phase * alpha[i])
            motion[0, i] += phase * place[2, i]
            motion[0, 3 + i] += phase * alpha[i]
        quat_exp(turn, q)
        quat_multiply(q, X[3:], X[3:])


@kernel
def fits_run_up(
    path: ToolPath, start: Array, v_W: Array, a_W: Array, duration: float, p: Row[ReferenceConfig]
) -> bool:
    """Whether a run-up of this duration stays within the limits of speed and acceleration."""
    X, g, r = scratch(7), scratch_matrix(2, 6), scratch(6)
    v, a = scratch(6), scratch(6)
    place_on_path(path, -duration, 1.0, 0.0, X, g)
    pose_error(X, start, r)
    rotate_pair(X[3:], r, r)
    for step in range(21):
        t = duration * step / 20.0
        for i in range(6):
            _, rv, ra = go_on(r[i], v_W[i] - g[0, i], a_W[i] - g[1, i], 0.0, duration, t)
            v[i] = rv + g[0, i] + g[1, i] * t
            a[i] = ra + g[1, i]
        if step == 0 or step == 20:
            continue
        for part in range(2):
            fast = norm3(v[3 * part :]) > p[0].max_speed[part]
            if fast or norm3(a[3 * part :]) > p[0].max_acceleration[part]:
                return False
    return True


@kernel
def run_up_time(
    path: ToolPath, start: Array, v_W: Array, a_W: Array, p: Row[ReferenceConfig]
) -> float:
    """Shortest tried duration of a run-up within the limits, s; below 0 if there is none."""
    duration = 0.02
    while duration < 120.0:
        if fits_run_up(path, start, v_W, a_W, duration, p):
            return duration
        duration *= 1.15
    return -1.0
