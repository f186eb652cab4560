"""Playback: the reference that replays a recorded joint motion."""

from math import asin, pi, sin, sqrt

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.spatial import Array
from pliant.stages.reference.curves import go_on
from pliant.stages.reference.joint_parameters import JointReferenceParams
from pliant.stages.reference.kinds import RefKind
from pliant.tick import Tick

_PLAYBACK = RefKind.PLAYBACK.value

# Tolerance of the phase at the start and the end of a motion, s.
_THERE = 1e-9


@kernel
def play(
    prev: Row[Tick], tick: Row[Tick], p: Row[JointReferenceParams], time: Array, motion: Array
) -> None:
    """Move to the start of a motion with minimum jerk, then replay it.

    The replay has a soft start, also if the recording starts in motion, and comes to rest at the
    end.

    Args:
        prev: The previous tick.
        tick: This tick.
        p: The parameters.
        time: Times of the motion, from 0, s.
        motion: One row per time: positions, velocities, inertial torques, rest of the torques.
    """
    a, t, c = prev[0], tick[0], p[0]
    continues = a.ref_kind == _PLAYBACK and a.ref_since == t.ref_since and a.law_seq == t.law_seq
    phase = a.ref_phase if continues else -t.ref_time
    t.ref_done = 0
    if phase < 0.0:
        for j in range(t.q_ref.shape[0]):
            q, qd, qdd = go_on(t.q_ref[j], t.qd_ref[j], t.qdd_ref[j], motion[0, j], -phase, t.dt)
            t.q_ref[j], t.qd_ref[j], t.qdd_ref[j] = q, qd, qdd
        t.ref_phase = phase + t.dt if phase + t.dt < -_THERE else 0.0
        return
    end = float(time[time.shape[0] - 1])
    before = a.ref_rate if continues else 0.0
    t.ref_rate = _rate_after(before, max(0.0, end - phase), c.speed, c.play_ramp, t.dt)
    t.ref_phase = min(end, phase + t.ref_rate * t.dt)
    _follow(tick, p, time, motion, (t.ref_rate - before) / t.dt)
    if t.ref_phase > end - _THERE:
        t.ref_rate = 0.0
        t.ref_done = 1
        if c.loop:
            t.ref_phase = -c.way_back
            t.ref_done = 0


@kernel
def _rate_after(rate: float, left: float, speed: float, ramp: float, dt: float) -> float:
    """The rate after one period: up to `speed` along a quarter of a sine, down to 0 at the end.

    The rate has no kink at full speed, so the torque has no step.
    """
    w = 0.5 * pi / ramp
    faster = speed * sin(min(0.5 * pi, asin(min(1.0, rate / speed)) + w * dt))
    way = min(1.0, left * w / speed)
    in_time = speed * sqrt(way * (2.0 - way))
    return max(rate - w * speed * dt, min(faster, in_time))


@kernel
def _follow(
    tick: Row[Tick], p: Row[JointReferenceParams], time: Array, motion: Array, rate_slope: float
) -> None:
    """Write the joint reference at the phase of the tick, by cubic Hermite interpolation.

    The recorded torque is M·q'' + C(q, q')·q' plus a rest, with derivatives over the recorded time.
    At the rate r the first part becomes r²·(M·q'' + C(q, q')·q') + ṙ·M·q'; the rest is scaled by
    r relative to the playback speed.
    """
    t = tick[0]
    n = t.q_ref.shape[0]
    slopes = np.empty(n)
    k = min(time.shape[0] - 2, max(0, np.searchsorted(time, t.ref_phase) - 1))
    h = time[k + 1] - time[k]
    x = (t.ref_phase - time[k]) / h
    for j in range(n):
        q0, q1 = motion[k, j], motion[k + 1, j]
        m0, m1 = h * motion[k, n + j], h * motion[k + 1, n + j]
        c2, c3 = 3.0 * (q1 - q0) - 2.0 * m0 - m1, 2.0 * (q0 - q1) + m0 + m1
        slope = (m0 + x * (2.0 * c2 + x * 3.0 * c3)) / h
        curvature = (2.0 * c2 + x * 6.0 * c3) / (h * h)
        slopes[j] = slope
        t.q_ref[j] = q0 + x * (m0 + x * (c2 + x * c3))
        t.qd_ref[j] = t.ref_rate * slope
        t.qdd_ref[j] = t.ref_rate * t.ref_rate * curvature + rate_slope * slope
        inertial = (1.0 - x) * motion[k, 2 * n + j] + x * motion[k + 1, 2 * n + j]
        rest = (1.0 - x) * motion[k, 3 * n + j] + x * motion[k + 1, 3 * n + j]
        t.tau_ff[j] = t.ref_rate * t.ref_rate * inertial + t.ref_rate / p[0].speed * rest
    for i in range(n):
        for j in range(n):
            t.tau_ff[i] += rate_slope * t.M[i, j] * slopes[j]
        t.tau_ff[i] *= p[0].feed_forward
