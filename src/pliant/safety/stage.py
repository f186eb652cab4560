"""The safety stage: clips what can be clipped, and demands a stop for the rest."""

from enum import IntFlag
from math import isfinite, sqrt

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.kernels import Row, kernel
from pliant.motion import brake_speed
from pliant.params import params_row, row_of
from pliant.reasons import Reason
from pliant.safety.config import SafetyConfig
from pliant.spatial import Array, norm3
from pliant.tick import Rows, Tick


class Clip(IntFlag):
    """Which limits changed what was requested."""

    POSITION = 1
    VELOCITY = 2
    ACCELERATION = 4
    TOOL_SPEED = 8


_POSITION = Clip.POSITION.value
_VELOCITY = Clip.VELOCITY.value
_ACCELERATION = Clip.ACCELERATION.value
_TOOL_SPEED = Clip.TOOL_SPEED.value
_NOT_FINITE = Reason.NOT_FINITE.value
_CONTACT_FORCE = Reason.CONTACT_FORCE.value
_WORKSPACE = Reason.WORKSPACE.value
_TEMPERATURE = Reason.TEMPERATURE.value
_LATE = Reason.LATE.value

# Differences of joint velocity below this, relative to the limit, are rounding, not clipping.
_ROUNDING = 1e-9


class Limits:
    """The arm's own limits as the kernels take them."""

    q_min: Array
    q_max: Array
    qd_max: Array
    qdd_max: Array
    temperature_max: float


class SafetyStage:
    """Compares what is requested with what was last sent, and lets through what is allowed.

    Joint velocity, acceleration and tool speed scale all joints alike, so that the tool keeps its
    path; before a joint limit the joint brakes in time. What cannot be clipped (force, heat, a late
    loop, the workspace) trips: this very tick already brakes, and the supervisor takes the law out.
    """

    def __init__(self, config: SafetyConfig, arm: ArmDescription) -> None:
        self._arm = arm
        self.configure(config)

    def configure(self, config: SafetyConfig) -> None:
        """Take new limits; they hold from the next tick."""
        self._params = params_row(config)
        self._limits = row_of(
            {
                "q_min": self._arm.q_min + config.joint_margin,
                "q_max": self._arm.q_max - config.joint_margin,
                "qd_max": self._arm.qd_max * config.joint_speed_share,
                "qdd_max": self._arm.qdd_max * config.joint_acceleration_share,
                "temperature_max": float(self._arm.temperature_max),
            }
        )

    def update(self, prev: Rows, tick: Rows) -> None:
        """Write the safety columns of this tick."""
        safety_kernel(prev, tick, self._params, self._limits)


@kernel
def _tripped(prev: Row[Tick], tick: Row[Tick], p: Row[SafetyConfig], limits: Row[Limits]) -> int:
    t, c = tick[0], p[0]
    for j in range(t.q_requested.shape[0]):
        if not isfinite(t.q_requested[j]):
            return _NOT_FINITE
        if t.temperature[j] >= limits[0].temperature_max:
            return _TEMPERATURE
    if t.lateness > c.lateness:
        return _LATE
    if t.zeroed != 0 and (
        norm3(t.w_T_raw[:3]) > c.contact_force or norm3(t.w_T_raw[3:]) > c.contact_torque
    ):
        return _CONTACT_FORCE
    if _leaves_workspace(prev, tick, p):
        return _WORKSPACE
    return 0


@kernel
def _leaves_workspace(prev: Row[Tick], tick: Row[Tick], p: Row[SafetyConfig]) -> bool:
    """Whether the next set point lies outside the box and farther out than the last one."""
    a, t, c = prev[0], tick[0], p[0]
    for i in range(3):
        step = 0.0
        for j in range(t.q_requested.shape[0]):
            step += t.J_sent_W[i, j] * (t.q_requested[j] - a.q_sent[j])
        next_place = t.X_WT_sent[i] + step
        if (next_place > c.workspace_max[i] and step > 0.0) or (
            next_place < c.workspace_min[i] and step < 0.0
        ):
            return True
    return False


@kernel
def _scale_to_speed(tick: Row[Tick], p: Row[SafetyConfig], limits: Row[Limits], v: Array) -> int:
    """Scale all joint velocities so that no joint and not the tool is too fast."""
    t = tick[0]
    bits, scale = 0, 1.0
    for j in range(v.shape[0]):
        if abs(v[j]) * scale > limits[0].qd_max[j]:
            scale = limits[0].qd_max[j] / abs(v[j])
            bits = _VELOCITY
    speed = 0.0
    for i in range(3):
        s = 0.0
        for j in range(v.shape[0]):
            s += t.J_sent_W[i, j] * v[j]
        speed += s * s
    speed = sqrt(speed)
    if speed * scale > p[0].tool_speed:
        scale = p[0].tool_speed / speed
        bits |= _TOOL_SPEED
    for j in range(v.shape[0]):
        v[j] *= scale
    return bits


@kernel
def _scale_to_acceleration(before: Array, limits: Row[Limits], dt: float, v: Array) -> int:
    """Scale the change of all joint velocities so that none accelerates too hard."""
    scale = 1.0
    for j in range(v.shape[0]):
        room = limits[0].qdd_max[j] * dt * (1.0 + _ROUNDING)
        if abs(v[j] - before[j]) * scale > room:
            scale = room / abs(v[j] - before[j])
    for j in range(v.shape[0]):
        v[j] = before[j] + scale * (v[j] - before[j])
    return _ACCELERATION if scale < 1.0 else 0


@kernel
def _brake_at_limits(q: Array, limits: Row[Limits], dt: float, v: Array) -> int:
    """Slow each joint so that it can stop before its limit."""
    bits = 0
    for j in range(v.shape[0]):
        up = brake_speed(max(0.0, limits[0].q_max[j] - q[j]), limits[0].qdd_max[j], dt)
        down = brake_speed(max(0.0, q[j] - limits[0].q_min[j]), limits[0].qdd_max[j], dt)
        allowed = max(-down, min(up, v[j]))
        if abs(allowed - v[j]) > _ROUNDING * limits[0].qd_max[j]:
            bits = _POSITION
        v[j] = allowed
    return bits


@kernel
def safety_kernel(
    prev: Row[Tick], tick: Row[Tick], p: Row[SafetyConfig], limits: Row[Limits]
) -> None:
    """All safety columns of one tick."""
    a, t = prev[0], tick[0]
    t.trip = _tripped(prev, tick, p, limits)
    n = t.q_requested.shape[0]
    v = np.empty(n)
    for j in range(n):
        # a trip brakes in this very tick
        v[j] = 0.0 if t.trip != 0 else (t.q_requested[j] - a.q_sent[j]) / t.dt
    t.clipped = _scale_to_speed(tick, p, limits, v)
    t.clipped |= _scale_to_acceleration(a.qd_limited, limits, t.dt, v)
    t.clipped |= _brake_at_limits(a.q_sent, limits, t.dt, v)
    for j in range(n):
        t.qd_limited[j] = v[j]
        t.q_limited[j] = a.q_sent[j] + v[j] * t.dt
