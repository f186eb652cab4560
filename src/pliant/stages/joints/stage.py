"""The joints stage: requests a position of each joint, according to its mode.

By default a joint holds the position last sent. Under a law the joints follow the law; without one
they follow the commands of their modes. The stage itself switches no mode: users and faults do.
After a contact stop, holding would keep pressing, because the set points lead the arm by its lag;
an idle joint then retreats to the position that was measured when the stop was tripped. A sensor at
the end of its range is such a contact too, and so is a joint that was disabled for its torque: the
arm leans on something that the sensor need not feel, and with all its torque it could not be reset.
It retreats to where it came to rest.
"""

from dataclasses import dataclass

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.profiles import brake_speed
from pliant.params import KernelParams, params_row
from pliant.reasons import Reason
from pliant.stages.joints.config import JointsConfig
from pliant.stages.joints.effort import drive_by_torque, is_compliant
from pliant.stages.joints.faults import report_mode
from pliant.stages.joints.joint_limits import JointLimits
from pliant.stages.joints.joint_modes import FIRST_STATUS, JointFault, JointMode, ReportedMode
from pliant.stages.joints.joint_motion import RESTS, copy_reference, move
from pliant.tick import Tick

_IDLE = JointMode.IDLE.value
_POSITION_DIRECT = JointMode.POSITION_DIRECT.value
_TORQUE = JointMode.TORQUE.value
_OPEN_LOOP = JointMode.OPEN_LOOP.value
_FAULT = ReportedMode.HARDWARE_FAULT.value
_STATUSES = FIRST_STATUS.value
_OVER_TORQUE = JointFault.OVER_TORQUE.value
_CONTACT_FORCE = Reason.CONTACT_FORCE.value
_SENSOR_SATURATED = Reason.SENSOR_SATURATED.value

# Speed and acceleration with which an idle joint retreats after a contact stop, rad/s and rad/s².
_RETURN_SPEED = 0.2
_RETURN_ACCELERATION = 5.0

# Share of the lead over the position sent that is reduced in one tick, once safety allows it.
_CATCH_UP = 0.05

# Distance from the target at which a reference has arrived, rad.
_ARRIVED = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class JointsParams(KernelParams):
    """Parameters of the stage."""

    config: Row[JointsConfig]
    limits: Row[JointLimits]


def joints_params(config: JointsConfig, limits: JointLimits) -> np.ndarray:
    """The parameters of the stage, as a row."""
    return JointsParams(config=params_row(config), limits=limits.row()).row()


@kernel
def _hold(prev: Row[Tick], tick: Row[Tick], j: int, pressed: bool) -> None:
    """Hold the position last sent, or retreat after a contact stop."""
    a, t = prev[0], tick[0]
    t.q_requested[j] = a.q_sent[j]
    if pressed:
        t.q_hold[j] = a.q_hold[j]
        gap = t.q_hold[j] - a.q_sent[j]
        speed = min(_RETURN_SPEED, brake_speed(abs(gap), _RETURN_ACCELERATION, t.dt))
        t.q_requested[j] += (speed if gap > 0.0 else -speed) * t.dt
    _rest_at(prev, tick, j, t.q_requested[j])


@kernel
def _rest_at(prev: Row[Tick], tick: Row[Tick], j: int, q: float) -> None:
    """Write the board's reference of a joint that the board does not move: at rest at q."""
    t = tick[0]
    copy_reference(prev, tick, j, True)
    t.q_board[j], t.qd_board[j] = q, 0.0
    t.motion[j], t.streaming[j] = RESTS, 0


@kernel
def _follow(
    prev: Row[Tick], tick: Row[Tick], limits: Row[JointLimits], j: int, entering: bool
) -> None:
    """Request the reference of the board, relative to the position sent.

    A joint that safety held back thus catches up gently.
    """
    a, t = prev[0], tick[0]
    start = move(prev, tick, limits, j, entering)
    behind = start - a.q_sent[j]
    t.q_requested[j] = a.q_sent[j] + (t.q_board[j] - start) + _CATCH_UP * behind


@kernel
def _enters(prev: Row[Tick], tick: Row[Tick], j: int) -> bool:
    """Whether the reference of a joint restarts: mode, interaction or law changed."""
    a, t = prev[0], tick[0]
    switched = a.mode[j] != t.mode[j] or a.interaction[j] != t.interaction[j]
    return switched or a.law >= 0


@kernel
def _is_done(tick: Row[Tick], j: int) -> int:
    t = tick[0]
    gap = t.q_goal[j] - t.q_board[j] if t.mode[j] == _POSITION_DIRECT and t.law < 0 else 0.0
    arrived = t.motion[j] == RESTS or (t.mode[j] == _POSITION_DIRECT and abs(gap) < _ARRIVED)
    return 1 if arrived and t.qd_board[j] == 0.0 else 0


@kernel
def _apply_mode(
    prev: Row[Tick], tick: Row[Tick], limits: Row[JointLimits], j: int, pressed: bool
) -> None:
    """Write the requested position of one joint by its mode, and whether torque drives it."""
    t = tick[0]
    entering = _enters(prev, tick, j)
    t.q_hold[j] = t.q[j]
    t.by_torque[j] = 0
    t.tau_board[j] = 0.0
    if t.mode[j] == _IDLE or t.mode[j] >= _STATUSES:
        leans = t.fault[j] == _OVER_TORQUE and _is_slow(tick, j)
        _hold(prev, tick, j, pressed or leans)
    elif t.mode[j] == _TORQUE or t.mode[j] == _OPEN_LOOP:
        _rest_at(prev, tick, j, t.q[j])
        t.q_requested[j] = t.q[j]
        t.by_torque[j] = 1
        if t.law < 0:
            drive_by_torque(prev, tick, limits, j, entering)
    elif t.law >= 0:
        _rest_at(prev, tick, j, t.q_set[j])
        t.q_requested[j] = t.q_set[j]
    else:
        _follow(prev, tick, limits, j, entering)
        if is_compliant(tick, j):
            t.q_requested[j] = t.q[j]
            t.by_torque[j] = 1
    t.joint_done[j] = _is_done(tick, j)


@kernel
def _is_slow(tick: Row[Tick], j: int) -> bool:
    """Whether a joint is about at rest; one that still moves needs its torque to brake."""
    return abs(tick[0].qd[j]) <= 2.0 * _RETURN_SPEED


@kernel
def _presses(prev: Row[Tick], tick: Row[Tick]) -> bool:
    """Whether the arm was stopped by a contact, or is in one after another reason to stop."""
    by_contact = tick[0].reason in (_CONTACT_FORCE, _SENSOR_SATURATED)
    return by_contact or prev[0].trip == _CONTACT_FORCE


@kernel
def joints_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[JointsParams]) -> None:
    """Write all joint columns of one tick."""
    a, t = prev[0], tick[0]
    config, limits = p[0].config[:], p[0].limits[:]
    pressed = t.law < 0 and _presses(prev, tick)
    t.new_fault = 0
    for j in range(t.mode.shape[0]):
        report_mode(prev, tick, config, limits, j)
        if t.mode[j] == _FAULT and a.mode[j] != _FAULT:
            t.new_fault = 1
        _apply_mode(prev, tick, limits, j, pressed)
