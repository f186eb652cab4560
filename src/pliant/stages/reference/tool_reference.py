"""The tool reference: hold, pose, jog, circle and path, without a jump.

Every kind except circle and path gives only a wanted velocity, which an acceleration-limited step
then approaches. A new target during a motion, a jog that times out or a hold therefore never jumps.
"""

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.profiles import approach3, cap3, pursue3
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import (
    Array,
    norm3,
    pose_error,
    pose_step,
    rotate_pair,
    unrotate_pair,
)
from pliant.stages.reference.circle import CircleParams, circle_kernel
from pliant.stages.reference.config import ReferenceConfig
from pliant.stages.reference.kinds import RefKind
from pliant.stages.reference.path_reference import path_kernel
from pliant.stages.reference.path_spline import ToolPath
from pliant.tick import Tick

# Distance from the target at which a reference has arrived, m or rad.
_ARRIVED = 1e-9

# Lead of the commanded pose over the set points sent, m and rad, above which a limit holds the arm
# back. Without a limit the lead is a thousandth of that.
_HELD_BACK = 1e-4
_HELD_BACK_ANGLE = 5e-4


_POSE = RefKind.POSE.value
_JOG = RefKind.JOG.value
_CIRCLE = RefKind.CIRCLE.value
_BRAKE = RefKind.BRAKE.value
_RETRACT = RefKind.RETRACT.value
_PATH = RefKind.PATH.value

# Speeds below which a reference that a limit holds back makes no progress, m/s and rad/s.
_NO_PROGRESS = 2e-3
_NO_TURNING = 1e-2

# Bits of `clipped` that say that safety holds the arm back: position, velocity, acceleration, speed
# of the tool.
_CLIPPED_MOTION = 15
# Rate of a path below which it stands.
_STANDING = 0.05


@kernel
def _start_pose(prev: Row[Tick], tick: Row[Tick], out: Array) -> None:
    """Write the pose from which the reference continues."""
    a, t = prev[0], tick[0]
    if a.law < 0:
        out[:] = t.X_WT_sent[:]
    elif t.law_seq != a.law_seq:
        out[:] = a.X_WT_cmd[:]
    elif a.reseed != 0:
        out[:] = a.X_WR_seed[:]
    else:
        out[:] = a.X_WR[:]


@kernel
def _start_velocity(prev: Row[Tick], tick: Row[Tick], out: Array) -> None:
    """Write its velocity there, in W: after a torque law the measured velocity of the tool."""
    a, t = prev[0], tick[0]
    if t.law_seq != a.law_seq and a.law >= 0 and a.by_torque[0] != 0:
        out[:] = a.v_WT_W[:]
    else:
        out[:] = a.v_WR_W[:]


@kernel
def _held_back(prev: Row[Tick], tick: Row[Tick], lead: Array) -> tuple[bool, bool]:
    """Write the lead of the commanded pose; whether a limit holds the arm back, or its turning."""
    pose_error(tick[0].X_WT_sent, prev[0].X_WT_cmd, lead)
    return norm3(lead[:3]) > _HELD_BACK, norm3(lead[3:]) > _HELD_BACK_ANGLE


@kernel
def _leads_away(prev: Row[Tick], tick: Row[Tick], X_WR: Array, v_R: Array) -> bool:
    """Whether a velocity would move the reference further away from an arm that is held back."""
    lead, v = scratch(6), scratch(6)
    far, turned = _held_back(prev, tick, lead)
    if not (far or turned):
        return False
    rotate_pair(X_WR[3:], v_R, v)
    unrotate_pair(tick[0].X_WT_sent[3:], v, v)
    along = lead[0] * v[0] + lead[1] * v[1] + lead[2] * v[2]
    about = lead[3] * v[3] + lead[4] * v[4] + lead[5] * v[5]
    return (far and along > 0.0) or (turned and about > 0.0)


@kernel
def _wanted_velocity_R(
    tick: Row[Tick],
    X_WR: Array,
    p: Row[ReferenceConfig],
    acceleration: Array,
    e_R: Array,
    v_R: Array,
) -> None:
    """Write the wanted velocity of the reference, in its axes."""
    t, c = tick[0], p[0]
    e_R[:] = 0.0
    v_R[:] = 0.0
    if t.ref_kind == _POSE or t.ref_kind == _RETRACT:
        still = scratch(3)
        still[:] = 0.0
        pose_error(X_WR, t.X_WR_target, e_R)
        pursue3(e_R[:3], still, acceleration[0], t.dt, v_R[:3])
        pursue3(e_R[3:], still, acceleration[1], t.dt, v_R[3:])
    elif t.ref_kind == _JOG and t.time < t.jog_until:
        if t.v_jog_frame == 0:
            v_R[:] = t.v_jog[:]
        else:
            unrotate_pair(X_WR[3:], t.v_jog, v_R)
    cap3(v_R[:3], _lower(c.max_speed[0], t.ref_speed[0]))
    cap3(v_R[3:], _lower(c.max_speed[1], t.ref_speed[1]))


@kernel
def _lower(configured: float, of_this_move: float) -> float:
    """The lower of two limits; 0 is none of this move's own."""
    return min(configured, of_this_move) if of_this_move > 0.0 else configured


@kernel
def rest_joints(prev: Row[Tick], tick: Row[Tick]) -> None:
    """Write the joint reference under a tool reference: the set points last sent."""
    t = tick[0]
    t.q_ref[:] = prev[0].q_sent[:]
    t.qd_ref[:] = 0.0
    t.qdd_ref[:] = 0.0
    t.tau_ff[:] = 0.0


@kernel
def tool_kernel(
    prev: Row[Tick],
    tick: Row[Tick],
    p: Row[ReferenceConfig],
    circle: Row[CircleParams],
    path: ToolPath,
) -> None:
    """Write all reference columns of one tick under a tool reference, or without a law."""
    t = tick[0]
    rest_joints(prev, tick)
    t.ref_phase = 0.0
    t.ref_rate = 0.0
    t.ref_stalled = 0.0
    t.w_hand_T[:] = 0.0
    if t.law < 0:
        t.X_WR[:] = t.X_WT_sent[:]
        t.v_WR_W[:] = 0.0
        t.a_WR_W[:] = 0.0
        t.ref_done = 1
        return
    start, v_W, lead = scratch(7), scratch(6), scratch(6)
    _start_pose(prev, tick, start)
    _start_velocity(prev, tick, v_W)
    if t.ref_kind == _CIRCLE:
        circle_kernel(prev, tick, circle, start, v_W)
    elif t.ref_kind == _PATH:
        far, turned = _held_back(prev, tick, lead)
        waits = far or turned or prev[0].clipped & _CLIPPED_MOTION != 0
        path_kernel(prev, tick, p, path, start, v_W, waits)
        stands = waits and t.ref_rate < _STANDING and t.ref_seq == prev[0].ref_seq
        t.ref_stalled = prev[0].ref_stalled + t.dt if stands else 0.0
    else:
        _move_within_limits(prev, tick, p, start, v_W)


@kernel
def _stalled_for(prev: Row[Tick], tick: Row[Tick], wanted: Array) -> float:
    """How long a target has been out of reach, while a limit holds the arm back."""
    t = tick[0]
    slow = norm3(wanted[:3]) < _NO_PROGRESS and norm3(wanted[3:]) < _NO_TURNING
    if t.ref_kind == _POSE and t.ref_seq == prev[0].ref_seq and slow:
        return prev[0].ref_stalled + t.dt
    return 0.0


@kernel
def _move_within_limits(
    prev: Row[Tick], tick: Row[Tick], p: Row[ReferenceConfig], start: Array, v_W: Array
) -> None:
    """Advance a hold, pose or jog reference within the limits."""
    t, c = tick[0], p[0]
    e_R, wanted, v_R, acceleration = scratch(6), scratch(6), scratch(6), scratch(2)
    quick = t.ref_kind == _BRAKE or t.ref_kind == _RETRACT
    for i in range(2):
        acceleration[i] = c.brake_acceleration[i] if quick else c.max_acceleration[i]
    _wanted_velocity_R(tick, start, p, acceleration, e_R, wanted)
    if _leads_away(prev, tick, start, wanted):
        # no faster than the arm, so that both stop together
        cap3(wanted[:3], norm3(t.v_WT_sent_W[:3]))
        cap3(wanted[3:], norm3(t.v_WT_sent_W[3:]))
        t.ref_stalled = _stalled_for(prev, tick, wanted)
    else:
        t.ref_stalled = max(0.0, prev[0].ref_stalled - t.dt)
    unrotate_pair(start[3:], v_W, v_R)
    approach3(v_R[:3], wanted[:3], acceleration[0] * t.dt, v_R[:3])
    approach3(v_R[3:], wanted[3:], acceleration[1] * t.dt, v_R[3:])
    rotate_pair(start[3:], v_R, t.v_WR_W)
    for i in range(6):
        t.a_WR_W[i] = (t.v_WR_W[i] - v_W[i]) / t.dt
        v_R[i] *= t.dt
    pose_step(start, v_R, t.X_WR)
    near = norm3(e_R[:3]) < _ARRIVED and norm3(e_R[3:]) < _ARRIVED
    still = norm3(v_R[:3]) < _ARRIVED and norm3(v_R[3:]) < _ARRIVED
    t.ref_done = 1 if near and still else 0
