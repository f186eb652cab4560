"""The controller's states and what moves it from one to the next by itself.

INACTIVE ──activate──▶ ACTIVE ──deactivate──▶ STOPPING ──at rest──▶ INACTIVE
    ▲                     │                       │
    └──────reset────── FAULT ◀──────trip──────────┘
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from pliant.numerics.byte_copy import copy_bytes
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

# Below this speed (m/s, rad/s) and this desired force (N) a stopping arm is at rest.
_REST_SPEED = 1e-4
_REST_FORCE = 0.05


@dataclass(frozen=True, kw_only=True)
class SupervisorParams:
    """Parameters of the supervisor's kernels.

    Attributes:
        stop_time: After this a stop no longer waits for force targets to reach zero, s.
        start: First byte of the supervisor's columns in a row.
        end: The byte after their last one.
    """

    stop_time: float
    start: int
    end: int


@kernel
def copy_commanded(prev: Row[Tick], tick: Row[Tick], p: Row[SupervisorParams]) -> None:
    """Copy the supervisor's columns from the previous row."""
    copy_bytes(prev, tick, p[0].start, p[0].end)


@kernel
def enter(tick: Row[Tick], state: int, reason: int) -> None:
    """Enter a state without a law: joints hold, targets are zero, no axis is compliant."""
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
    """Bring all joints to rest because one has a fault; joints driven by torque hold a position."""
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
    """The reason to stop now, 0 if there is none.

    After a change of limits an old trip does not count: safety judges again in this tick.
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
    p: Row[SupervisorParams],
    needs_force: np.ndarray,
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
        overdue = t.time - t.state_since > p[0].stop_time
        if (slow and asked < _REST_FORCE) or overdue:
            enter(tick, _INACTIVE, t.reason)
    return t.reason != a.reason


@kernel
def supervise(
    prev: Row[Tick], tick: Row[Tick], p: Row[SupervisorParams], needs_force: np.ndarray
) -> bool:
    """All supervisor columns of a tick without wishes; True if the reason changed."""
    copy_commanded(prev, tick, p)
    return decide(prev, tick, p, needs_force, False)


def without_law(time: float) -> dict[str, Any]:
    """The columns that end a law at once: all joints hold."""
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
