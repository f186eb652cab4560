"""The supervisor stage: what was commanded, and the transitions that need no command."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.numerics.byte_copy import copy_bytes
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.spatial import norm3
from pliant.params import KernelParams
from pliant.reasons import SENSOR_REASON_OFFSET, Reason, State, Verdict
from pliant.stages.joints import JointMode
from pliant.stages.reference import RefKind
from pliant.stages.supervisor.config import SupervisorConfig
from pliant.stages.supervisor.wishes import WishTable, take_over
from pliant.tick import IntArray, Rows, Tick, stage_span

_INACTIVE = State.INACTIVE.value
_STOPPING = State.STOPPING.value
_FAULT = State.FAULT.value
_READY = Verdict.READY.value
_ROBOT = Reason.ROBOT.value
_SENSOR_OFFSET = int(SENSOR_REASON_OFFSET)
_HOLD = RefKind.HOLD.value
_EXCEPTION = Reason.EXCEPTION.value
_JOINT_FAULT = Reason.JOINT_FAULT.value
_IDLE = JointMode.IDLE.value
_POSITION = JointMode.POSITION.value
_TORQUE = JointMode.TORQUE.value
_OPEN_LOOP = JointMode.OPEN_LOOP.value

# Below this speed (m/s, rad/s) and this desired force (N) a stopping arm is at rest.
_REST_SPEED = 1e-4
_REST_FORCE = 0.05

# Commanded speed of the tool, m/s and rad/s, from which a stop brakes rather than waits for a law.
_MOTION = 0.01
_TURNING = 0.05


MOST_LAWS = 32
"""The largest number of laws of an arm; a constant in `@kernel` functions."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SupervisorParams(KernelParams):
    """Parameters of the supervisor's kernel.

    Attributes:
        stop_time: After this a stop no longer waits for force targets to reach zero, s.
        needs_force: For each law, whether it may only run while the wrench is `READY`.
        start: First byte of the supervisor's columns in a row.
        end: The byte after their last one.
    """

    stop_time: float
    needs_force: IntArray
    start: int
    end: int


def supervisor_params(config: SupervisorConfig, needs_force: Sequence[bool], n: int) -> np.ndarray:
    """The parameters for laws and a number of joints, as a row."""
    start, end = stage_span("supervisor", n)
    by_law = np.zeros(MOST_LAWS, np.int64)
    by_law[: len(needs_force)] = needs_force
    return SupervisorParams(
        stop_time=config.stop_time, needs_force=by_law, start=start, end=end
    ).row()


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
    prev: Row[Tick], tick: Row[Tick], p: Row[SupervisorParams], new_limits: bool
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
    if t.law >= 0 and p[0].needs_force[t.law] != 0 and t.verdict != _READY:
        return t.verdict + _SENSOR_OFFSET
    return 0


@kernel
def supervisor_kernel(
    prev: Row[Tick], tick: Row[Tick], p: Row[SupervisorParams], wishes: Row[WishTable]
) -> bool:
    """Write all supervisor columns of one tick; True if the reason changed.

    They are copied from the previous row, then what is wished is taken over, and then come the
    transitions that need no command.
    """
    a, t = prev[0], tick[0]
    copy_commanded(prev, tick, p)
    take_over(wishes, tick)
    if a.new_fault != 0:
        hold_joints(prev, tick)
    reason = fault_reason(prev, tick, p, wishes[0].new_limits != 0)
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
def fail_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[SupervisorParams]) -> None:
    """Write all supervisor columns of a tick in which something raised: enter the fault state."""
    copy_commanded(prev, tick, p)
    if prev[0].reason != _EXCEPTION:
        enter(tick, _FAULT, _EXCEPTION)


def in_motion(row: Rows) -> bool:
    """Whether the law moves the tool, faster than the end of a force target needs."""
    linear, angular = np.linalg.norm(row["v_cmd_T"][0].reshape(2, 3), axis=1)
    return bool(linear > _MOTION or angular > _TURNING)


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
