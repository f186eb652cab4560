"""The safety stage: clips requests to the limits, and trips a stop for the rest.

Requests are compared with the set points last sent. Limits of joint position, velocity and
acceleration and of the tool's speed scale all joints alike, so that the tool stays on its path, and
stops on it at a joint limit. What cannot be clipped (contact force, a lost sensor, temperature, a
late loop, the workspace) trips: the same tick brakes, and the supervisor deactivates the law.
What the configuration says limits motion only. A joint may always slow down as hard as the arm
itself can; from a trip until the end of the fault the arm's own limits alone hold. The set points
of a torque arm, which only its servo follows, begin a stop where the arm is: those that ran ahead
of an arm that something holds would go on pressing.
`torque_limits` and `speed_guard` limit joints and tool of a torque arm; if, driven by torque, they
are too fast nevertheless, they trip.
"""

from dataclasses import dataclass
from math import inf, isfinite, sqrt

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.profiles import brake_speed
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import Array, norm3
from pliant.params import KernelParams, params_row
from pliant.reasons import SENSOR_REASON_OFFSET, Reason, State, Verdict
from pliant.stages.safety.config import SafetyConfig
from pliant.stages.safety.safety_limits import (
    ACCELERATION,
    POSITION,
    TOOL_SPEED,
    VELOCITY,
    Limits,
    arm_limits_row,
    limits_row,
)
from pliant.stages.safety.set_point_start import leave_torque, start_at_arm
from pliant.stages.safety.speed_guard import guard_speed
from pliant.stages.safety.tool_guard import guard_tool
from pliant.stages.safety.torque_limits import (
    brake,
    clip_torque,
    guard_joints,
    only_brake,
)
from pliant.tick import MOST_JOINTS, Tick

_FAULT = State.FAULT.value
_NOT_FINITE = Reason.NOT_FINITE.value
_CONTACT_FORCE = Reason.CONTACT_FORCE.value
_WORKSPACE = Reason.WORKSPACE.value
_TEMPERATURE = Reason.TEMPERATURE.value
_LATE = Reason.LATE.value
_JOINT_POSITION = Reason.JOINT_POSITION.value
_JOINT_SPEED = Reason.JOINT_SPEED.value
_TOOL_TOO_FAST = Reason.TOOL_SPEED.value
_SENSOR_OFFSET = int(SENSOR_REASON_OFFSET)
_SENSOR_STALE = Verdict.STALE.value
_SENSOR_NOT_FINITE = Verdict.NOT_FINITE.value
_SENSOR_SATURATED = Verdict.SATURATED.value

# Differences of joint velocity below this, relative to the limit, are rounding, not clipping.
_ROUNDING = 1e-9

# How often at most all joints are scaled to the tool's speed and limited to their own
# accelerations. With few joints left that can slow down, four times leave 0.2 % too much.
_ROUNDS = 32

# Share of the fastest joint's speed by which a joint may exceed its limit and be slowed alone.
_LITTLE = 0.01


@dataclass(frozen=True, kw_only=True, eq=False)
class SafetyParams(KernelParams):
    """Parameters of the stage.

    Attributes:
        config: The configuration.
        limits: The limits of motion.
        stop_limits: The limits of a stop: those of the arm itself.
    """

    config: Row[SafetyConfig]
    limits: Row[Limits]
    stop_limits: Row[Limits]


def safety_params(config: SafetyConfig, arm: ArmDescription) -> np.ndarray:
    """The parameters of the stage, as a row."""
    return SafetyParams(
        config=params_row(config.settled(simulated=False)),
        limits=limits_row(config, arm),
        stop_limits=arm_limits_row(arm),
    ).row()


@kernel
def _trip_reason(tick: Row[Tick], p: Row[SafetyConfig], limits: Row[Limits], v: Array) -> int:
    """The reason why the arm must stop, whatever is requested; 0 if none."""
    t, c = tick[0], p[0]
    for j in range(v.shape[0]):
        # checks the velocity, because a finite set point divided by dt may overflow
        if not (isfinite(v[j]) and isfinite(t.q[j]) and isfinite(t.qd[j])):
            return _NOT_FINITE
        # written so that a NaN temperature trips
        if not t.temperature[j] < limits[0].temperature_max:
            return _TEMPERATURE
        if limits[0].takes_torque != 0:
            reason = _torque_trip_reason(tick, limits, j)
            if reason != 0:
                return reason
    if _driven_by_torque(tick) and norm3(t.v_WT_W[:3]) > limits[0].tool_speed_highest:
        return _TOOL_TOO_FAST
    if t.lateness > limits[0].lateness:
        return _LATE
    if t.zeroed == 0:
        return 0
    watched = isfinite(c.contact_force) or isfinite(c.contact_torque)
    if t.law >= 0 and watched and _sensor_lost(t.verdict):
        return t.verdict + _SENSOR_OFFSET
    if norm3(t.w_T_raw[:3]) > c.contact_force or norm3(t.w_T_raw[3:]) > c.contact_torque:
        return _CONTACT_FORCE
    return 0


@kernel
def _driven_by_torque(tick: Row[Tick]) -> bool:
    """Whether any joint is driven by torque."""
    for j in range(tick[0].by_torque.shape[0]):
        if tick[0].by_torque[j] != 0:
            return True
    return False


@kernel
def _torque_trip_reason(tick: Row[Tick], limits: Row[Limits], j: int) -> int:
    """The reason why a joint of a torque arm must stop, 0 if none."""
    t = tick[0]
    if not isfinite(t.tau_requested[j]):
        return _NOT_FINITE
    if t.by_torque[j] == 0:
        return 0
    if t.q[j] < limits[0].q_lowest[j] or t.q[j] > limits[0].q_highest[j]:
        return _JOINT_POSITION
    return _JOINT_SPEED if abs(t.qd[j]) > limits[0].qd_hardest[j] else 0


@kernel
def _sensor_lost(verdict: int) -> bool:
    """Whether the sensor lost the contact force after it was zeroed."""
    return verdict in (_SENSOR_STALE, _SENSOR_NOT_FINITE, _SENSOR_SATURATED)


@kernel
def _leaves_workspace(tick: Row[Tick], p: Row[SafetyConfig], limits: Row[Limits], v: Array) -> bool:
    """Whether the tool, braking after this tick, would stop outside the box.

    A tool that is already outside may move inwards.
    """
    t, c = tick[0], p[0]
    braking = 0.0
    for j in range(v.shape[0]):
        braking = max(braking, abs(v[j]) / limits[0].qdd_hardest[j])
    for i in range(3):
        speed = 0.0
        for j in range(v.shape[0]):
            speed += t.J_sent_W[i, j] * v[j]
        place = t.X_WT_sent[i] + speed * (t.dt + 0.5 * braking)
        if (place > c.workspace_max[i] and speed > 0.0) or (
            place < c.workspace_min[i] and speed < 0.0
        ):
            return True
    return False


@kernel
def _scale_to_joint_speed(limits: Row[Limits], v: Array) -> int:
    """Scale all joint velocities to the joint speed limits."""
    scale = 1.0
    for j in range(v.shape[0]):
        if abs(v[j]) * scale > limits[0].qd_max[j]:
            scale = limits[0].qd_max[j] / abs(v[j])
    for j in range(v.shape[0]):
        v[j] *= scale
    return VELOCITY if scale < 1.0 else 0


@kernel
def _scale_to_tool_speed(tick: Row[Tick], most: float, v: Array) -> int:
    """Scale all joint velocities to the tool speed limit."""
    speed = 0.0
    for i in range(3):
        s = 0.0
        for j in range(v.shape[0]):
            s += tick[0].J_sent_W[i, j] * v[j]
        speed += s * s
    speed = sqrt(speed)
    if speed <= most * (1.0 + _ROUNDING):
        return 0
    for j in range(v.shape[0]):
        v[j] *= most / speed
    return TOOL_SPEED


@kernel
def _scale_to_acceleration(before: Array, limits: Row[Limits], dt: float, v: Array) -> int:
    """Scale the change of all joint velocities to the acceleration limits.

    A joint that slows down may use the arm's own acceleration until it is at rest.
    """
    scale = 1.0
    for j in range(v.shape[0]):
        room = limits[0].qdd_max[j] * dt * (1.0 + _ROUNDING)
        if (v[j] - before[j]) * before[j] < 0.0:
            hardest = limits[0].qdd_hardest[j] * dt * (1.0 + _ROUNDING)
            room = max(room, min(hardest, abs(before[j])))
        if abs(v[j] - before[j]) * scale > room:
            scale = room / abs(v[j] - before[j])
    for j in range(v.shape[0]):
        v[j] = before[j] + scale * (v[j] - before[j])
    return ACCELERATION if scale < 1.0 else 0


@kernel
def _scale_to_joint_limits(q: Array, limits: Row[Limits], dt: float, v: Array) -> int:
    """Scale all joint velocities so that each joint can stop before its limit.

    The tool stops on its path. If only one joint stopped, the tool would leave its path and creep
    away. Only a joint that is slow compared with the others is stopped alone, by
    `_brake_at_limits`: otherwise rounding would hold an arm that moves along a limit.
    """
    fastest, scale = 0.0, 1.0
    for j in range(v.shape[0]):
        fastest = max(fastest, abs(v[j]))
    for j in range(v.shape[0]):
        room = limits[0].q_max[j] - q[j] if v[j] > 0.0 else q[j] - limits[0].q_min[j]
        allowed = brake_speed(max(0.0, room), limits[0].qdd_max[j], dt)
        if abs(v[j]) - allowed > _LITTLE * fastest:
            scale = min(scale, allowed / abs(v[j]))
    for j in range(v.shape[0]):
        v[j] *= scale
    return POSITION if scale < 1.0 else 0


@kernel
def _brake_at_limits(q: Array, limits: Row[Limits], dt: float, v: Array) -> int:
    """Limit the velocity of each joint so that it can stop before its limit."""
    bits = 0
    for j in range(v.shape[0]):
        up = brake_speed(max(0.0, limits[0].q_max[j] - q[j]), limits[0].qdd_max[j], dt)
        down = brake_speed(max(0.0, q[j] - limits[0].q_min[j]), limits[0].qdd_max[j], dt)
        allowed = max(-down, min(up, v[j]))
        if abs(allowed - v[j]) > _ROUNDING * limits[0].qd_max[j]:
            bits = POSITION
        v[j] = allowed
    return bits


@kernel
def _limit_to_arm(before: Array, limits: Row[Limits], dt: float, v: Array) -> None:
    """Stay within the arm's own acceleration, also if a limit was moved towards a moving joint."""
    for j in range(v.shape[0]):
        room = limits[0].qdd_hardest[j] * dt * (1.0 + _ROUNDING)
        v[j] = max(before[j] - room, min(before[j] + room, v[j]))


@kernel
def _limit(
    tick: Row[Tick], tool_speed: float, limits: Row[Limits], q: Array, before: Array, v: Array
) -> int:
    """Bring joint velocities within all limits, in place; returns the bits that acted.

    All joints slow down together before a joint limit. The joint itself is checked again at the
    end, because scaling the acceleration of all joints may prevent it from braking enough.

    Args:
        tick: The row of this tick.
        tool_speed: Speed limit of the tool, m/s.
        limits: The limits of the joints.
        q: Positions from which the joints go on.
        before: Velocities from which they go on.
        v: In and out: the velocities.
    """
    dt = tick[0].dt
    bits = _scale_to_joint_speed(limits, v)
    bits |= _scale_to_joint_limits(q, limits, dt, v)
    bits |= _scale_to_tool_speed(tick, tool_speed, v)
    bits |= _scale_to_acceleration(before, limits, dt, v)
    bits |= _brake_at_limits(q, limits, dt, v)
    _limit_to_arm(before, limits, dt, v)
    # a joint that stops alone may make the tool faster; if one cannot slow down as fast as the tool
    # should, the others have to
    for _ in range(_ROUNDS):
        if _scale_to_tool_speed(tick, tool_speed, v) == 0:
            break
        bits |= TOOL_SPEED
        _limit_to_arm(before, limits, dt, v)
    return bits


@kernel
def _wanted_velocity(prev: Row[Tick], tick: Row[Tick], v: Array) -> bool:
    """Write the requested velocities; True if any joint is driven by position."""
    a, t = prev[0], tick[0]
    positions = False
    for j in range(v.shape[0]):
        if t.by_torque[j] != 0:
            v[j] = a.qd_limited[j]
        else:
            v[j] = (t.q_requested[j] - a.q_sent[j]) / t.dt
            positions = True
    return positions


@kernel
def _write_positions(
    tick: Row[Tick], limits: Row[Limits], q: Array, before: Array, v: Array
) -> None:
    """Write the positions of the limited velocities; under torque the measured positions."""
    t = tick[0]
    for j in range(v.shape[0]):
        if t.by_torque[j] != 0:
            t.qdd_limited[j] = 0.0
            t.qd_limited[j] = t.qd[j]
            t.q_limited[j] = t.q[j]
        else:
            t.qdd_limited[j] = (v[j] - before[j]) / t.dt
            t.qd_limited[j] = v[j]
            t.q_limited[j] = q[j] + v[j] * t.dt
            if limits[0].takes_torque != 0:
                # a stop that begins where the arm is may begin too late to brake before a limit:
                # its position stays there, so that the servo pulls the joint back
                highest = max(q[j], limits[0].q_highest[j])
                lowest = min(q[j], limits[0].q_lowest[j])
                t.q_limited[j] = max(lowest, min(highest, t.q_limited[j]))


@kernel
def safety_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[SafetyParams]) -> None:
    """Write the safety columns of one tick, except the limited torques of a torque arm."""
    a, t = prev[0], tick[0]
    config, limits = p[0].config[:], p[0].limits[:]
    stop_limits = p[0].stop_limits[:]
    n = t.q_requested.shape[0]
    q, before = scratch(MOST_JOINTS)[:n], scratch(MOST_JOINTS)[:n]
    v = scratch(MOST_JOINTS)[:n]
    q[:], before[:] = a.q_sent, a.qd_limited
    positions = _wanted_velocity(prev, tick, v)
    t.clipped = 0
    t.trip = _trip_reason(tick, config, limits, v)
    stopped = t.state == _FAULT
    if t.trip == 0 and not stopped:
        if positions:
            leave_torque(prev, tick, config[0].tool_speed, limits, q, before)
            t.clipped = _limit(tick, config[0].tool_speed, limits, q, before, v)
        if _leaves_workspace(tick, config, limits, v):
            t.trip = _WORKSPACE
    if t.trip != 0 or stopped:
        # in the fault that follows, joints request to hold or to retreat from a contact, no more
        if not stopped or t.trip == _NOT_FINITE:
            v[:] = 0.0
        begins = a.trip == 0 and a.state != _FAULT
        if begins and limits[0].takes_torque != 0 and t.trip != _NOT_FINITE:
            start_at_arm(tick, limits, q, before)
        leave_torque(prev, tick, inf, limits, q, before)
        t.clipped = _limit(tick, inf, stop_limits, q, before, v)
    _write_positions(tick, limits, q, before, v)
    t.tau_limited[:] = 0.0


@kernel
def torque_safety_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[SafetyParams]) -> None:
    """Write `tau_limited` of a torque arm, after `safety_kernel`."""
    t = tick[0]
    limits = p[0].limits[:]
    bits = 0
    tau = scratch(MOST_JOINTS)[: t.tau_requested.shape[0]]
    for j in range(tau.shape[0]):
        tau[j] = t.tau_requested[j]
    if t.trip != 0:
        brake(tick, tau)
    else:
        bits = guard_joints(tick, limits, tau)
    for j in range(tau.shape[0]):
        if not isfinite(tau[j]):
            # with zero torque the arm still compensates gravity
            tau[j] = 0.0
    if t.trip == 0 and t.state != _FAULT:
        acted = guard_tool(prev, tick, limits, p[0].config[0].tool_speed, tau)
        if acted != 0:
            bits |= acted | guard_joints(tick, limits, tau)
    bits |= guard_speed(prev, tick, limits, tau)
    if t.trip != 0 or t.state == _FAULT:
        only_brake(tick, tau)
    t.clipped |= bits | clip_torque(prev, tick, limits, tau)
