"""Joint references: hold, homing, sinus, and the transition into each from any motion."""

from math import cos, pi, sin
from typing import NamedTuple

import numpy as np

from pliant.arms.chain import Chain, tool_kinematics
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.scratch import scratch_matrix
from pliant.numerics.spatial import Array, quat_align, quat_from_matrix
from pliant.stages.reference.curves import brake_to_rest, decay, go_on, minimum_jerk
from pliant.stages.reference.follow_hand import follow_hand
from pliant.stages.reference.joint_parameters import JointReferenceParams
from pliant.stages.reference.kinds import RefKind, Takes
from pliant.stages.reference.playback_reference import play
from pliant.tick import Tick

_HOLD = RefKind.HOLD.value
_HOMING = RefKind.HOMING.value
_SINUS = RefKind.SINUS.value
_FOLLOW_HAND = RefKind.FOLLOW_HAND.value
_PLAYBACK = RefKind.PLAYBACK.value
_JOINTS = Takes.JOINTS.value

# How much faster a joint reference comes to rest by a reaction.
_QUICK = 4.0

# Speed below which a joint reference is at rest, rad/s.
_STILL = 1e-6


class JointReference(NamedTuple):
    """Parameters of the joint references of a torque arm.

    Attributes:
        params: Those of all kinds.
        chain: The kinematics of the arm.
        motion_time: Times of the recorded motion to play, s.
        motion: Its positions, velocities and torques, as for `play`.
    """

    params: Row[JointReferenceParams]
    chain: Row[Chain]
    motion_time: Array
    motion: Array


@kernel
def joint_kernel(prev: Row[Tick], tick: Row[Tick], own: JointReference, before: int) -> None:
    """Write the columns of a joint reference, except those of the tool.

    Args:
        prev: The previous tick.
        tick: This tick.
        own: The parameters.
        before: Kind of reference that the law of the previous tick followed.
    """
    p = own.params
    t = tick[0]
    t.tau_ff[:] = 0.0
    t.ref_phase = 0.0
    t.ref_rate = 0.0
    t.ref_stalled = 0.0
    t.w_hand_T[:] = 0.0
    _continue_from(prev, tick, before)
    if t.ref_kind == _HOMING:
        _homing(tick)
    elif t.ref_kind == _SINUS:
        _sinus(tick, p)
    elif t.ref_kind == _FOLLOW_HAND:
        follow_hand(prev, tick, p)
    elif t.ref_kind == _PLAYBACK:
        play(prev, tick, p, own.motion_time, own.motion)
    else:
        _hold(tick, p)


@kernel
def _continue_from(prev: Row[Tick], tick: Row[Tick], before: int) -> None:
    """Copy the reference from the previous row, or start at the set points last sent."""
    a, t = prev[0], tick[0]
    if a.law >= 0 and before == _JOINTS:
        t.q_ref[:] = a.q_ref[:]
        t.qd_ref[:] = a.qd_ref[:]
        t.qdd_ref[:] = a.qdd_ref[:]
    else:
        t.q_ref[:] = a.q_sent[:]
        t.qd_ref[:] = a.qd_limited[:]
        t.qdd_ref[:] = 0.0


@kernel
def _hold(tick: Row[Tick], p: Row[JointReferenceParams]) -> None:
    """Bring the reference to rest; by a reaction four times as fast."""
    t, c = tick[0], p[0]
    t.ref_done = 1
    rate = c.brake_rate if t.ref_kind == _HOLD else _QUICK * c.brake_rate
    for j in range(t.q_ref.shape[0]):
        q, qd, qdd = brake_to_rest(t.q_ref[j], t.qd_ref[j], t.qdd_ref[j], rate, t.dt)
        t.q_ref[j] = max(c.q_min[j], min(c.q_max[j], q))
        t.qd_ref[j] = qd
        t.qdd_ref[j] = qdd
        if abs(qd) > _STILL:
            t.ref_done = 0


@kernel
def _homing(tick: Row[Tick]) -> None:
    """Move to the target with minimum jerk in the remaining time."""
    t = tick[0]
    # q_ref still is the reference of the previous tick, at time − dt: count the time from there
    left = t.ref_since + t.ref_time - t.time + t.dt
    for j in range(t.q_ref.shape[0]):
        q, qd, qdd = go_on(t.q_ref[j], t.qd_ref[j], t.qdd_ref[j], t.q_target[j], left, t.dt)
        t.q_ref[j], t.qd_ref[j], t.qdd_ref[j] = q, qd, qdd
    t.ref_done = 1 if left < 1.5 * t.dt else 0


@kernel
def _sinus(tick: Row[Tick], p: Row[JointReferenceParams]) -> None:
    """Follow the sinus about the middle; an initial difference decays."""
    t, c = tick[0], p[0]
    now = t.time - t.ref_since
    for j in range(t.q_ref.shape[0]):
        g, gd, gdd = swing(p, j, now - t.dt)
        r, rd, rdd = decay(
            t.q_ref[j] - t.q_target[j] - g,
            t.qd_ref[j] - gd,
            t.qdd_ref[j] - gdd,
            c.settle_rate,
            t.dt,
        )
        g, gd, gdd = swing(p, j, now)
        t.q_ref[j] = t.q_target[j] + g + r
        t.qd_ref[j] = gd + rd
        t.qdd_ref[j] = gdd + rdd
    t.ref_done = 0


@kernel
def swing(p: Row[JointReferenceParams], j: int, time: float) -> tuple[float, float, float]:
    """Displacement of joint j from the middle of its sinus, with velocity and acceleration."""
    c = p[0]
    rise, slope, curvature = minimum_jerk(time / c.sinus_ramp)
    slope, curvature = slope / c.sinus_ramp, curvature / (c.sinus_ramp * c.sinus_ramp)
    w = 2.0 * pi * c.frequency[j]
    s, k = sin(w * time + c.phase[j]), cos(w * time + c.phase[j])
    A = c.amplitude[j]
    return (
        A * rise * s,
        A * (slope * s + rise * w * k),
        A * (curvature * s + 2.0 * slope * w * k - rise * w * w * s),
    )


@kernel
def tool_of_joints(prev: Row[Tick], tick: Row[Tick], chain: Row[Chain]) -> None:
    """Write the tool reference that corresponds to the joint reference."""
    a, t = prev[0], tick[0]
    R_WR, J_W = scratch_matrix(3, 3), np.empty((6, t.q_ref.shape[0]))
    tool_kinematics(chain, t.q_ref, R_WR, t.X_WR[:3], J_W)
    quat_from_matrix(R_WR, t.X_WR[3:])
    quat_align(t.X_WR[3:], a.X_WR[3:])
    continues = a.law_seq == t.law_seq
    for i in range(6):
        v, acceleration = 0.0, 0.0
        for j in range(J_W.shape[1]):
            v += J_W[i, j] * t.qd_ref[j]
            acceleration += J_W[i, j] * t.qdd_ref[j]
        t.v_WR_W[i] = v
        # the reference may step when the law changes
        t.a_WR_W[i] = (v - a.v_WR_W[i]) / t.dt if continues else acceleration


@kernel
def measured_reference(prev: Row[Tick], tick: Row[Tick]) -> None:
    """Write all reference columns under a law without reference: the measured state."""
    t = tick[0]
    t.X_WR[:] = t.X_WT[:]
    t.v_WR_W[:] = t.v_WT_W[:]
    t.a_WR_W[:] = 0.0
    t.q_ref[:] = t.q[:]
    t.qd_ref[:] = t.qd[:]
    t.qdd_ref[:] = 0.0
    t.tau_ff[:] = 0.0
    t.ref_phase = 0.0
    t.ref_rate = 0.0
    t.ref_stalled = 0.0
    t.w_hand_T[:] = 0.0
    t.ref_done = 1
