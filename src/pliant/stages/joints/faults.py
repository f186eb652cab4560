"""Faults that disable a joint, and the statuses through which it returns."""

from math import isfinite

from pliant.numerics.kernels import Row, kernel
from pliant.stages.joints.config import JointsConfig
from pliant.stages.joints.joint_limits import JointLimits
from pliant.stages.joints.joint_modes import FIRST_STATUS, JointFault, JointMode, ReportedMode
from pliant.tick import Tick

_IDLE = JointMode.IDLE.value
_TORQUE = JointMode.TORQUE.value
_OPEN_LOOP = JointMode.OPEN_LOOP.value
_FAULT = ReportedMode.HARDWARE_FAULT.value
_CALIBRATING = ReportedMode.CALIBRATING.value
_CALIBRATION_DONE = ReportedMode.CALIBRATION_DONE.value
_NOT_CONFIGURED = ReportedMode.NOT_CONFIGURED.value
_CONFIGURED = ReportedMode.CONFIGURED.value
_STATUSES = FIRST_STATUS.value
_OVER_TORQUE = JointFault.OVER_TORQUE.value
_OVER_TEMPERATURE = JointFault.OVER_TEMPERATURE.value
_TRACKING = JointFault.TRACKING.value
_ENCODER = JointFault.ENCODER.value
_HARD_LIMIT = JointFault.HARD_LIMIT.value
_STALE = JointFault.STALE_COMMAND.value

# A larger change of position in one tick is an encoder fault, rad.
_JUMP = 0.2
# A torque this close to the limit of its joint, relative to it, is at the limit.
_ROUNDING = 1e-6


@kernel
def fault_cause(
    prev: Row[Tick], tick: Row[Tick], p: Row[JointsConfig], limits: Row[JointLimits], j: int
) -> int:
    """The fault that a joint has now, 0 if none; writes `fault_for`."""
    a, t, c, most = prev[0], tick[0], p[0], limits[0]
    over = _is_over_torque(prev, tick, c.over_torque * most.tau_max[j], j)
    lost = abs(a.q_sent[j] - t.q[j]) > c.tracking
    t.fault_for[j] = a.fault_for[j] + t.dt if over or lost else 0.0
    if t.fault_injected[j] != 0:
        return t.fault_injected[j]
    readable = isfinite(t.q[j]) and isfinite(t.qd[j])
    if not readable or abs(t.q[j] - a.q[j]) > _JUMP:
        return _ENCODER
    # written so that a NaN temperature is a fault
    if not t.temperature[j] < most.temperature_max:
        return _OVER_TEMPERATURE
    if t.q[j] < most.q_least[j] - c.hard_limit or t.q[j] > most.q_most[j] + c.hard_limit:
        return _HARD_LIMIT
    if t.fault_for[j] > c.fault_time:
        return _OVER_TORQUE if over else _TRACKING
    return 0


@kernel
def _is_over_torque(prev: Row[Tick], tick: Row[Tick], most: float, j: int) -> bool:
    """Whether a torque exceeds the most; a servo that gives all it has cannot follow any more."""
    tau = abs(tick[0].tau[j])
    return tau > most if prev[0].by_torque[j] != 0 else tau >= most * (1.0 - _ROUNDING)


@kernel
def report_mode(
    prev: Row[Tick], tick: Row[Tick], p: Row[JointsConfig], limits: Row[JointLimits], j: int
) -> None:
    """Write the reported mode of a joint: its control mode, or a status instead."""
    a, t = prev[0], tick[0]
    t.fault_cause[j] = fault_cause(prev, tick, p, limits, j)
    t.calibration_left[j] = 0.0
    t.fault[j] = a.fault[j]
    if a.mode[j] == _FAULT:
        cleared = t.clear_seq[j] != a.clear_seq[j] and t.fault_cause[j] == 0
        t.mode[j] = _IDLE if cleared else _FAULT
    elif t.fault_cause[j] != 0:
        t.mode[j], t.fault[j] = _FAULT, t.fault_cause[j]
    elif _is_stale(prev, tick, j):
        t.mode[j], t.fault[j] = _FAULT, _STALE
    elif a.mode[j] >= _STATUSES or t.calibrate_seq[j] != a.calibrate_seq[j]:
        _calibrate(prev, tick, p, j)
    else:
        t.mode[j] = t.mode_wanted[j]
    if t.mode[j] != _FAULT:
        t.fault[j] = 0


@kernel
def _is_stale(prev: Row[Tick], tick: Row[Tick], j: int) -> bool:
    """Whether a streamed torque or output has timed out."""
    a, t = prev[0], tick[0]
    pushes = a.mode[j] == _TORQUE or a.mode[j] == _OPEN_LOOP
    stays = t.mode_wanted[j] == a.mode[j] and t.stop_seq[j] == a.stop_seq[j]
    return pushes and stays and t.law < 0 and a.streaming[j] != 0 and t.time > t.stream_until[j]


@kernel
def _calibrate(prev: Row[Tick], tick: Row[Tick], p: Row[JointsConfig], j: int) -> None:
    """Not configured → configured → calibrating → done → idle, after a calibration command."""
    a, t = prev[0], tick[0]
    t.mode[j] = a.mode[j]
    left = a.calibration_left[j]
    if t.calibrate_seq[j] != a.calibrate_seq[j]:
        left = p[0].calibration_time
    if t.stop_seq[j] != a.stop_seq[j]:
        left = 0.0
        if a.mode[j] == _CALIBRATING:
            t.mode[j] = _CONFIGURED
    if a.mode[j] == _CALIBRATION_DONE:
        t.mode[j] = t.mode_wanted[j]
    elif left > 0.0:
        if a.mode[j] == _NOT_CONFIGURED:
            t.mode[j] = _CONFIGURED
        elif a.mode[j] == _CONFIGURED:
            t.mode[j] = _CALIBRATING
        else:
            left -= t.dt
            t.mode[j] = _CALIBRATING if left > 0.5 * t.dt else _CALIBRATION_DONE
    t.calibration_left[j] = left
