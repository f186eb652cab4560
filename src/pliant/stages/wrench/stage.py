"""The wrench stage: computes the wrench on the tool, and a verdict whether it can be trusted.

In each tick: w_S = raw − bias − weight; w_T = Ad(X_TS)·w_S with the lever arm; first-order
low-pass; dead band. The weight is that of the configured tool at the measured orientation, so one
zeroing is valid for all orientations. The bias is computed from the mean reading of the zeroing, so
a weight that is corrected later needs no new zeroing: the wrench changes only by the correction,
and not at all in the orientation of the zeroing.

Zeroing must not hide a load, because every limit of force would then be off by it. The first one
takes what is left beside the tool's weight for the sensor's bias, up to a limit; a later one takes
what is felt with the old bias for drift, up to a smaller limit.
"""

from dataclasses import dataclass
from math import isfinite

import numpy as np

from pliant.arms.tool import Tool
from pliant.numerics.filters import dead_band, smoothing
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import (
    Array,
    cross,
    norm3,
    pose_inverse_multiply,
    quat_multiply,
    quat_unrotate,
    wrench_move,
)
from pliant.params import KernelParams, params_row
from pliant.reasons import Verdict
from pliant.stages.wrench.config import WrenchConfig
from pliant.tick import Tick

GRAVITY = 9.81
"""Magnitude of gravity along −z of the world, m/s²."""

AT_REST = 1e-3
"""Speed of the tool along each axis, m/s and rad/s, below which the sensor may be zeroed."""

ZERO_ABORTED = -1
"""Value of `zero_left` after an aborted zeroing."""

ZERO_LOADED = -2
"""Value of `zero_left` after a zeroing that was refused because the tool is loaded."""

_READY = Verdict.READY.value
_NEVER_ZEROED = Verdict.NEVER_ZEROED.value
_STALE = Verdict.STALE.value
_NOT_FINITE = Verdict.NOT_FINITE.value
_SATURATED = Verdict.SATURATED.value
_IMPLAUSIBLE = Verdict.IMPLAUSIBLE.value

# Filtered readings stay slightly inside the range when the sensor is saturated.
_SATURATION = 0.999


@dataclass(frozen=True, kw_only=True, eq=False)
class ToolRow(KernelParams):
    """The tool and its sensor.

    Attributes:
        X_TS: Pose of the sensor in T.
        com_S: Centre of mass in S, m.
        mass: Mass, kg.
    """

    X_TS: Array
    com_S: Array
    mass: float


@dataclass(frozen=True, kw_only=True, eq=False)
class WrenchParams(KernelParams):
    """Parameters of the stage."""

    config: Row[WrenchConfig]
    tool: Row[ToolRow]


def wrench_params(config: WrenchConfig, tool: Tool) -> np.ndarray:
    """The parameters of the stage, as a row."""
    return WrenchParams(config=params_row(config), tool=tool_row(tool)).row()


def tool_row(tool: Tool) -> np.ndarray:
    """The tool as a row: pose of the sensor in T, centre of mass in S."""
    X_FT, X_FS = np.array(tool.X_FT), np.array(tool.X_FS)
    X_TS, com_S = np.empty(7), np.empty(3)
    pose_inverse_multiply(X_FT, X_FS, X_TS)
    quat_unrotate(X_FS[3:], np.array(tool.com_F) - X_FS[:3], com_S)
    return ToolRow(X_TS=X_TS, com_S=com_S, mass=float(tool.mass)).row()


@kernel
def gravity_in_sensor(X_WT: Array, tool: Row[ToolRow], g_S: Array) -> None:
    """Write gravity in S, m/s²."""
    q_WS = scratch(4)
    quat_multiply(X_WT[3:], tool[0].X_TS[3:], q_WS)
    g_S[0], g_S[1], g_S[2] = 0.0, 0.0, -GRAVITY
    quat_unrotate(q_WS, g_S, g_S)


@kernel
def tool_weight(g_S: Array, tool: Row[ToolRow], w_S: Array) -> None:
    """Write the wrench of the tool's weight in S, for gravity g_S."""
    body = tool[0]
    for i in range(3):
        w_S[i] = body.mass * g_S[i]
    cross(body.com_S, w_S[:3], w_S[3:])


@kernel
def _all_finite(values: Array) -> bool:
    for i in range(values.shape[0]):
        if not isfinite(values[i]):
            return False
    return True


@kernel
def _reading(tick: Row[Tick], p: Row[WrenchConfig], finite: bool) -> int:
    """Verdict on the reading alone, without regard to zeroing."""
    t, c = tick[0], p[0]
    if not finite:
        return _NOT_FINITE
    if t.sensor_age > c.stale_after:
        return _STALE
    for i in range(6):
        if abs(t.w_S_raw[i]) >= _SATURATION * c.sensor_range[i]:
            return _SATURATED
    return _READY


@kernel
def _is_loaded(
    prev: Row[Tick], p: Row[WrenchConfig], tool: Row[ToolRow], g_S: Array, mean_S: Array
) -> bool:
    """Whether a mean reading has more than the tool's weight, the bias so far and its drift."""
    a, c = prev[0], p[0]
    weight_S, load_S = scratch(6), scratch(6)
    tool_weight(g_S, tool, weight_S)
    for i in range(6):
        load_S[i] = mean_S[i] - weight_S[i] - a.w_bias_S[i]
    force, torque = norm3(load_S[:3]), norm3(load_S[3:])
    if a.zeroed != 0:
        return force > c.drift[0] or torque > c.drift[1]
    return force > c.bias[0] or torque > c.bias[1]


@kernel
def _zeroing(
    prev: Row[Tick],
    tick: Row[Tick],
    p: Row[WrenchConfig],
    tool: Row[ToolRow],
    g_S: Array,
    reading: int,
) -> bool:
    """Average the unloaded sensor over `zero_time` on request; True if zeroing finished now.

    A moving tool or an invalid reading aborts zeroing, and a load refuses it: the old bias stays.
    """
    a, t = prev[0], tick[0]
    requested = a.zero_seq != a.zero_seen
    samples = max(1, int(round(p[0].zero_time / t.dt)))
    t.zero_seen = a.zero_seq
    t.zero_left = samples if requested else a.zero_left
    t.zeroed = a.zeroed
    still = True
    for i in range(6):
        still = still and abs(t.v_WT_W[i]) <= AT_REST
        t.w_zero_S[i] = a.w_zero_S[i]
        t.zero_sum_S[i] = 0.0 if requested else a.zero_sum_S[i]
    t.g_zero_S[:] = a.g_zero_S[:]
    if t.zero_left <= 0:
        return False
    if reading != _READY or not still:
        t.zero_left = ZERO_ABORTED
        return False
    t.zero_left -= 1
    for i in range(6):
        t.zero_sum_S[i] += t.w_S_raw[i]
    if t.zero_left > 0:
        return False
    mean_S = scratch(6)
    for i in range(6):
        mean_S[i] = t.zero_sum_S[i] / samples
    if _is_loaded(prev, p, tool, g_S, mean_S):
        t.zero_left = ZERO_LOADED
        return False
    t.zeroed = 1
    t.g_zero_S[:] = g_S
    t.w_zero_S[:] = mean_S
    return True


@kernel
def _verdict(prev: Row[Tick], tick: Row[Tick], p: Row[WrenchConfig], reading: int) -> int:
    a, t, c = prev[0], tick[0], p[0]
    if reading != _READY:
        return reading
    if t.zeroed == 0:
        return _NEVER_ZEROED
    force, torque = norm3(t.w_T_filtered[:3]), norm3(t.w_T_filtered[3:])
    if a.law < 0 and (force > c.plausible[0] or torque > c.plausible[1]):
        return _IMPLAUSIBLE
    return _READY


@kernel
def wrench_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[WrenchParams]) -> None:
    """Write all wrench columns of one tick; a non-finite reading keeps the last wrench."""
    config, tool = p[0].config[:], p[0].tool[:]
    a, t, c = prev[0], tick[0], config[0]
    # a non-finite pose would make the weight, and then the filter, NaN forever
    finite = _all_finite(t.w_S_raw) and _all_finite(t.X_WT)
    t.sensor_age = 0.0 if t.sensor_seq != a.sensor_seq else a.sensor_age + t.dt
    reading = _reading(tick, config, finite)
    g_S, weight_S, load_S = scratch(3), scratch(6), scratch(6)
    gravity_in_sensor(t.X_WT, tool, g_S)
    zeroed_now = _zeroing(prev, tick, config, tool, g_S, reading)
    tool_weight(t.g_zero_S, tool, weight_S)
    for i in range(6):
        t.w_bias_S[i] = t.w_zero_S[i] - weight_S[i]

    tool_weight(g_S, tool, weight_S)
    if finite:
        for i in range(6):
            load_S[i] = t.w_S_raw[i] - weight_S[i] - t.w_bias_S[i]
        wrench_move(tool[0].X_TS, load_S, t.w_T_raw)
    else:
        t.w_T_raw[:] = a.w_T_raw[:]
    # the state of the filter is shifted by the new bias too
    shift_T = scratch(6)
    shift_T[:] = 0.0
    if zeroed_now:
        for i in range(6):
            load_S[i] = t.w_bias_S[i] - a.w_bias_S[i]
        wrench_move(tool[0].X_TS, load_S, shift_T)
    alpha = smoothing(c.cutoff, t.dt)
    for i in range(6):
        before = a.w_T_filtered[i] - shift_T[i]
        t.w_T_filtered[i] = before + alpha * (t.w_T_raw[i] - before)
        t.w_T[i] = dead_band(t.w_T_filtered[i], c.dead_band[i])
    t.verdict = _verdict(prev, tick, config, reading)
