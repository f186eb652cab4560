"""The controller's states and what moves it from one to the next by itself.

INACTIVE ──activate──▶ ACTIVE ──deactivate──▶ STOPPING ──at rest──▶ INACTIVE
    ▲                     │                       │
    └──────reset────── FAULT ◀──────trip──────────┘
"""

from enum import IntEnum
from typing import Any

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.spatial import norm3
from pliant.reasons import SENSOR_REASON_OFFSET, Reason, Verdict
from pliant.stages.joints import JointMode
from pliant.stages.reference import RefKind
from pliant.tick import Tick


class State(IntEnum):
    """What the controller is doing."""

    INACTIVE = 0
    """The arm holds; no law is active. The state at start."""
    ACTIVE = 1
    """A law is in charge."""
    STOPPING = 2
    """The law brings force targets to zero and the arm to rest."""
    FAULT = 3
    """The arm was stopped for a reason and holds until it is reset."""


_INACTIVE = State.INACTIVE.value
_STOPPING = State.STOPPING.value
_FAULT = State.FAULT.value
_READY = Verdict.READY.value
_ROBOT = Reason.ROBOT.value
_SENSOR_OFFSET = int(SENSOR_REASON_OFFSET)
_HOLD = RefKind.HOLD.value
_JOINT_FAULT = Reason.JOINT_FAULT.value
_IDLE = JointMode.IDLE.value
_POSITION = JointMode.POSITION.value
_TORQUE = JointMode.TORQUE.value
_OPEN_LOOP = JointMode.OPEN_LOOP.value

# A stopping arm slower than this, and asked for less than this force, is at rest.
_REST_SPEED = 1e-4
_REST_FORCE = 0.05


@kernel
def carry(prev: Row[Tick], tick: Row[Tick]) -> None:
    """Keep all that was commanded."""
    a, t = prev[0], tick[0]
    t.state = a.state
    t.state_since = a.state_since
    t.reason = a.reason
    t.reason_text[:] = a.reason_text[:]
    t.law = a.law
    t.law_seq = a.law_seq
    t.zero_seq = a.zero_seq
    t.w_target[:] = a.w_target[:]
    t.w_target_frame = a.w_target_frame
    t.Tr[:] = a.Tr[:]
    t.n_af = a.n_af
    t.axes_seq = a.axes_seq
    t.ref_kind = a.ref_kind
    t.q_target[:] = a.q_target[:]
    t.ref_since = a.ref_since
    t.ref_time = a.ref_time
    t.X_WR_target[:] = a.X_WR_target[:]
    t.v_jog[:] = a.v_jog[:]
    t.v_jog_frame = a.v_jog_frame
    t.jog_until = a.jog_until
    t.mode_wanted[:] = a.mode_wanted[:]
    t.interaction[:] = a.interaction[:]
    t.K_joint[:] = a.K_joint[:]
    t.D_joint[:] = a.D_joint[:]
    t.tau_offset[:] = a.tau_offset[:]
    t.speed_joint[:] = a.speed_joint[:]
    t.acceleration_joint[:] = a.acceleration_joint[:]
    t.q_goal[:] = a.q_goal[:]
    t.q_goal_seq[:] = a.q_goal_seq[:]
    t.qd_goal[:] = a.qd_goal[:]
    t.tau_goal[:] = a.tau_goal[:]
    t.output_goal[:] = a.output_goal[:]
    t.stream_seq[:] = a.stream_seq[:]
    t.stream_until[:] = a.stream_until[:]
    t.stop_seq[:] = a.stop_seq[:]
    t.clear_seq[:] = a.clear_seq[:]
    t.calibrate_seq[:] = a.calibrate_seq[:]
    t.fault_injected[:] = a.fault_injected[:]


@kernel
def enter(tick: Row[Tick], state: int, reason: int) -> None:
    """Go to a state without a law: the joints hold, nothing is asked for, no axis is compliant."""
    t = tick[0]
    t.state = state
    t.state_since = t.time
    t.reason = reason
    t.law = -1
    t.ref_kind = _HOLD
    t.w_target[:] = 0.0
    t.n_af = 0
    t.mode_wanted[:] = _IDLE


@kernel
def hold_joints(prev: Row[Tick], tick: Row[Tick]) -> None:
    """Bring all joints to rest because one was taken out; what cannot hold by itself is held."""
    a, t = prev[0], tick[0]
    for j in range(t.mode_wanted.shape[0]):
        t.stop_seq[j] = a.stop_seq[j] + 1
        t.q_goal_seq[j] = a.q_goal_seq[j]
        t.stream_seq[j] = a.stream_seq[j]
        if t.mode_wanted[j] == _TORQUE or t.mode_wanted[j] == _OPEN_LOOP:
            t.mode_wanted[j] = _POSITION


@kernel
def fault_reason(
    prev: Row[Tick], tick: Row[Tick], needs_force: np.ndarray, new_limits: bool
) -> int:
    """Why the arm must stop now, 0 if it need not.

    Under new limits what tripped the old ones is looked at afresh, by safety in this tick.
    """
    a, t = prev[0], tick[0]
    if a.trip != 0 and not new_limits:
        return a.trip
    if t.law >= 0 and a.new_fault != 0:
        return _JOINT_FAULT
    if t.robot_status != 0:
        return _ROBOT
    if t.law >= 0 and needs_force[t.law] and t.verdict != _READY:
        return t.verdict + _SENSOR_OFFSET
    return 0


@kernel
def decide(
    prev: Row[Tick],
    tick: Row[Tick],
    needs_force: np.ndarray,
    stop_time: float,
    new_limits: bool,
) -> bool:
    """Make the transitions that need no command; True if the reason changed."""
    a, t = prev[0], tick[0]
    if a.new_fault != 0:
        hold_joints(prev, tick)
    reason = fault_reason(prev, tick, needs_force, new_limits)
    if reason != 0 and t.state != _FAULT:
        enter(tick, _FAULT, reason)
    elif t.state == _STOPPING:
        slow = norm3(a.v_cmd_T[:3]) < _REST_SPEED and norm3(a.v_cmd_T[3:]) < _REST_SPEED
        asked = norm3(a.w_desired_T[:3]) + norm3(a.w_desired_T[3:])
        overdue = t.time - t.state_since > stop_time
        if (slow and asked < _REST_FORCE) or overdue:
            enter(tick, _INACTIVE, t.reason)
    return t.reason != a.reason


@kernel
def supervise(prev: Row[Tick], tick: Row[Tick], needs_force: np.ndarray, stop_time: float) -> bool:
    """A tick without a command."""
    carry(prev, tick)
    return decide(prev, tick, needs_force, stop_time, False)


def without_law(time: float) -> dict[str, Any]:
    """The columns of an arm whose law was ended at once: all joints hold."""
    return {
        "state": State.INACTIVE,
        "state_since": time,
        "reason": Reason.STOP_ASKED,
        "law": -1,
        "ref_kind": RefKind.HOLD,
        "w_target": 0.0,
        "n_af": 0,
        "mode_wanted": JointMode.IDLE,
    }
