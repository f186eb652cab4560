"""The position reference of one joint: trajectory, stream, ramp or rest, without a jump.

Position and velocity of the reference are continuous under every command. The reference is the sum
of a trajectory and of a ramped velocity; most modes have only one of them.
"""

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.profiles import brake_speed
from pliant.stages.joints.joint_limits import JointLimits
from pliant.stages.joints.joint_modes import JointMode
from pliant.stages.joints.trajectory import jerk_position, jerk_velocity, plan_time
from pliant.tick import Tick

RESTS, MOVES, BRAKES, BRAKES_FIRST = 0, 1, 2, 3
"""`motion`: at rest; moving to a target; braking; braking before a trajectory."""

_POSITION = JointMode.POSITION.value
_DIRECT = JointMode.POSITION_DIRECT.value
_VELOCITY = JointMode.VELOCITY.value
_MIXED = JointMode.MIXED.value

# Lead of a reference over a joint that safety holds back, rad, from which a trajectory slows down.
# At twice this lead a trajectory waits, and any other reference is pulled back.
_LEAD = 1e-2

# Share of the arm's acceleration with which a velocity that is no longer streamed ends at least.
_LOST_SHARE = 0.1

# Tolerance of the end of a trajectory, s.
_ENDED = 1e-9


@kernel
def copy_reference(prev: Row[Tick], tick: Row[Tick], j: int, entering: bool) -> None:
    """Copy the reference from the previous row, and apply a switch, a stop or a stream."""
    a, t = prev[0], tick[0]
    t.q_board[j], t.qd_board[j], t.qd_ramp[j] = a.q_board[j], a.qd_board[j], a.qd_ramp[j]
    t.motion[j], t.streaming[j] = a.motion[j], a.streaming[j]
    t.traj_from[j], t.traj_qd[j], t.traj_to[j] = a.traj_from[j], a.traj_qd[j], a.traj_to[j]
    t.traj_time[j], t.traj_elapsed[j] = a.traj_time[j], a.traj_elapsed[j]
    if entering:
        t.q_board[j], t.qd_board[j] = a.q_sent[j], a.qd_limited[j]
    if entering or t.stop_seq[j] != a.stop_seq[j]:
        t.motion[j], t.streaming[j], t.qd_ramp[j] = BRAKES, 0, 0.0
    if t.stream_seq[j] != a.stream_seq[j]:
        t.streaming[j] = 1
        if t.motion[j] == BRAKES:
            t.motion[j], t.qd_ramp[j] = RESTS, t.qd_board[j]
    elif t.time > t.stream_until[j]:
        t.streaming[j] = 0


@kernel
def _along(tick: Row[Tick], j: int) -> float:
    """Position of the trajectory."""
    t = tick[0]
    return jerk_position(
        t.traj_from[j], t.traj_qd[j], t.traj_to[j], t.traj_time[j], t.traj_elapsed[j]
    )


@kernel
def _velocity_along(tick: Row[Tick], j: int) -> float:
    """Velocity of the trajectory."""
    t = tick[0]
    return jerk_velocity(
        t.traj_from[j], t.traj_qd[j], t.traj_to[j], t.traj_time[j], t.traj_elapsed[j]
    )


@kernel
def _set_out(tick: Row[Tick], limits: Row[JointLimits], j: int) -> None:
    """Start a trajectory to the target from the present position and velocity of the reference."""
    t, most = tick[0], limits[0]
    v0 = _velocity_along(tick, j) if t.motion[j] == MOVES else 0.0
    if t.motion[j] >= BRAKES:
        v0 = t.qd_board[j]
    elif t.mode[j] != _MIXED or t.streaming[j] == 0:
        # no velocity is streamed now: what an earlier stream left becomes the initial velocity
        v0 += t.qd_ramp[j]
        t.qd_ramp[j] = 0.0
    t.traj_from[j], t.traj_qd[j], t.traj_to[j] = t.q_board[j], v0, t.q_goal[j]
    t.traj_elapsed[j] = 0.0
    t.traj_time[j] = plan_time(
        t.q_board[j],
        v0,
        t.q_goal[j],
        t.speed_joint[j],
        most.q_min[j],
        most.q_max[j],
        most.qd_max[j],
        most.qdd_max[j],
    )
    t.motion[j] = MOVES if t.traj_time[j] > 0.0 or v0 == 0.0 else BRAKES_FIRST


@kernel
def _take_target(prev: Row[Tick], tick: Row[Tick], limits: Row[JointLimits], j: int) -> None:
    """Apply a new target, or one that was deferred until the reference is at rest."""
    a, t = prev[0], tick[0]
    requested = t.q_goal_seq[j] != a.q_goal_seq[j]
    rests = t.qd_board[j] == 0.0
    travels = t.mode[j] == _POSITION or t.mode[j] == _MIXED
    if t.mode[j] == _DIRECT and requested:
        t.motion[j] = MOVES
    elif travels and (requested or (t.motion[j] == BRAKES_FIRST and rests)):
        _set_out(tick, limits, j)
    if t.motion[j] == BRAKES and rests:
        t.motion[j] = RESTS


@kernel
def _step_along(prev: Row[Tick], tick: Row[Tick], j: int) -> None:
    """Advance the trajectory by one tick, or by less while safety holds the joint back."""
    a, t = prev[0], tick[0]
    pace = 1.0
    if a.by_torque[j] == 0:
        pace = max(0.0, min(1.0, 2.0 - abs(a.q_board[j] - a.q_sent[j]) / _LEAD))
    t.traj_elapsed[j] += pace * t.dt
    if t.traj_elapsed[j] >= t.traj_time[j] - _ENDED:
        t.traj_elapsed[j] = t.traj_time[j]
        t.motion[j] = RESTS


@kernel
def _bound_lead(prev: Row[Tick], tick: Row[Tick], j: int) -> None:
    """Bound the lead of the reference over a joint that safety holds back."""
    a, t = prev[0], tick[0]
    lead = t.q_board[j] - a.q_sent[j]
    if a.by_torque[j] == 0 and abs(lead) > 2.0 * _LEAD:
        t.q_board[j] = a.q_sent[j] + (2.0 * _LEAD if lead > 0.0 else -2.0 * _LEAD)
        t.qd_board[j] = a.qd_limited[j]


@kernel
def toward(x: float, goal: float, step: float) -> float:
    """Move x towards a goal by at most a step."""
    return max(x - step, min(x + step, goal))


@kernel
def _acceleration(tick: Row[Tick], limits: Row[JointLimits], j: int) -> float:
    """The largest acceleration of the reference; a stop uses what the arm can do."""
    t, most = tick[0], limits[0]
    if t.motion[j] == BRAKES:
        return most.qdd_stop[j]
    if t.streaming[j] == 0:
        return max(most.qdd_max[j], _LOST_SHARE * most.qdd_stop[j])
    return most.qdd_max[j]


@kernel
def _within(
    tick: Row[Tick], x: float, v: float, wanted: float, limits: Row[JointLimits], j: int
) -> float:
    """A wanted velocity within the speed and acceleration limits, able to stop at a joint limit."""
    most, dt = limits[0], tick[0].dt
    wanted = max(-most.qd_max[j], min(most.qd_max[j], wanted))
    wanted = toward(v, wanted, _acceleration(tick, limits, j) * dt)
    up = brake_speed(max(0.0, most.q_max[j] - x), most.qdd_max[j], dt)
    down = brake_speed(max(0.0, x - most.q_min[j]), most.qdd_max[j], dt)
    return max(-down, min(up, wanted))


@kernel
def _wanted(prev: Row[Tick], tick: Row[Tick], limits: Row[JointLimits], j: int) -> float:
    """The wanted velocity of the reference."""
    t = tick[0]
    if t.motion[j] == BRAKES or t.motion[j] == BRAKES_FIRST:
        return 0.0
    if t.mode[j] == _DIRECT:
        gap = t.q_goal[j] - t.q_board[j]
        speed = brake_speed(abs(gap), limits[0].qdd_max[j], t.dt) if t.motion[j] == MOVES else 0.0
        return speed if gap > 0.0 else -speed
    streams = t.streaming[j] != 0 and (t.mode[j] == _VELOCITY or t.mode[j] == _MIXED)
    goal, acceleration = 0.0, t.acceleration_joint[j]
    if streams:
        goal = t.qd_goal[j]
    else:
        acceleration = max(acceleration, _LOST_SHARE * limits[0].qdd_stop[j])
    t.qd_ramp[j] = toward(t.qd_ramp[j], goal, acceleration * t.dt)
    wanted = t.qd_ramp[j]
    if t.motion[j] == MOVES:
        before = _along(tick, j)
        _step_along(prev, tick, j)
        wanted += (_along(tick, j) - before) / t.dt
    return wanted


@kernel
def move(
    prev: Row[Tick], tick: Row[Tick], limits: Row[JointLimits], j: int, entering: bool
) -> float:
    """Advance the reference of a joint by one tick; returns its position before."""
    t = tick[0]
    copy_reference(prev, tick, j, entering)
    _take_target(prev, tick, limits, j)
    x = t.q_board[j]
    if t.mode[j] == _POSITION and t.motion[j] == MOVES:
        # the closed form, so that rounding errors do not accumulate
        _step_along(prev, tick, j)
        t.q_board[j] = _along(tick, j)
        t.qd_board[j] = (t.q_board[j] - x) / t.dt if t.motion[j] == MOVES else 0.0
        return x
    if not entering:
        _bound_lead(prev, tick, j)
    x = t.q_board[j]
    wanted = _wanted(prev, tick, limits, j)
    reached = _within(tick, x, t.qd_board[j], wanted, limits, j)
    # the ramp loses what a limit cut off
    t.qd_ramp[j] += reached - wanted
    if t.mode[j] == _DIRECT or t.motion[j] >= BRAKES:
        t.qd_ramp[j] = 0.0
    t.qd_board[j] = reached
    t.q_board[j] = x + reached * t.dt
    return x
