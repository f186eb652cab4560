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
from pliant.stages.supervisor.armed_reactions import ReactionParams, react, reaction_params
from pliant.stages.supervisor.config import SupervisorConfig
from pliant.stages.supervisor.hold_joints import hold_joints
from pliant.stages.supervisor.wishes import WishTable, take_over
from pliant.tick import IntArray, Rows, Tick, stage_span

_INACTIVE = State.INACTIVE.value
_STOPPING = State.STOPPING.value
_FAULT = State.FAULT.value
_READY = Verdict.READY.value
_ROBOT = Reason.ROBOT.value
_SENSOR_OFFSET = int(SENSOR_REASON_OFFSET)
_HOLD = RefKind.HOLD.value
_POSE = RefKind.POSE.value
_PATH = RefKind.PATH.value
_EXCEPTION = Reason.EXCEPTION.value
_JOINT_FAULT = Reason.JOINT_FAULT.value
_IDLE = JointMode.IDLE.value

# Below this speed (m/s, rad/s) and this desired force (N) a stopping arm is at rest.
_REST_SPEED = 1e-4
_REST_FORCE = 0.05

# Commanded speed of the tool, m/s and rad/s, from which a stop brakes rather than waits for a law.
_MOTION = 0.01
_TURNING = 0.05
# A move that a limit has kept from its target for this long has ended, s. An arm needs up to two
# seconds to come out of a singularity.
_STALL_TIME = 3.0


MOST_LAWS = 32
"""The largest number of laws of an arm; a constant in `@kernel` functions."""

REASON_CHANGED, REACTED, STALLED = 1, 2, 4
"""Bits of what a tick of the supervisor tells its caller."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SupervisorParams(KernelParams):
    """Parameters of the supervisor's kernel.

    Attributes:
        stop_time: After this a stop no longer waits for force targets to reach zero, s.
        needs_force: For each law, whether it may only run while the wrench is `READY`.
        start: First byte of the supervisor's columns in a row.
        end: The byte after their last one.
        reactions: Parameters of the armed conditions.
    """

    stop_time: float
    needs_force: IntArray
    start: int
    end: int
    reactions: Row[ReactionParams]


def supervisor_params(
    config: SupervisorConfig, needs_force: Sequence[bool], by_torque: Sequence[bool], n: int
) -> np.ndarray:
    """The parameters for laws and a number of joints, as a row."""
    start, end = stage_span("supervisor", n)
    force, torque = np.zeros(MOST_LAWS, np.int64), np.zeros(MOST_LAWS, np.int64)
    force[: len(needs_force)] = needs_force
    torque[: len(by_torque)] = by_torque
    return SupervisorParams(
        stop_time=config.stop_time,
        needs_force=force,
        start=start,
        end=end,
        reactions=reaction_params(n, torque, force),
    ).row()


@kernel
def copy_commanded(prev: Row[Tick], tick: Row[Tick], p: Row[SupervisorParams]) -> None:
    """Copy the supervisor's columns from the previous row."""
    copy_bytes(prev, tick, p[0].start, p[0].end)


@kernel
def enter(tick: Row[Tick], state: int, reason: int) -> None:
    """Enter a state without a law: joints hold, no target, compliant axis or armed reaction."""
    t = tick[0]
    t.state = state
    t.state_since = t.time
    t.reason = reason
    t.law = -1
    t.ref_kind = _HOLD
    t.w_target[:] = 0.0
    t.n_af = 0
    t.mode_wanted[:] = _IDLE
    t.reactions_armed = 0


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
) -> int:
    """Write all supervisor columns of one tick; bits `REASON_CHANGED`, `REACTED`, `STALLED`.

    They are copied from the previous row, then what is wished is taken over, and then come the
    transitions that need no command: faults, the end of a stop, reactions.
    """
    a, t = prev[0], tick[0]
    copy_commanded(prev, tick, p)
    t.reaction_slot = 0
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
    if t.reactions_armed != 0:
        react(prev, tick, p[0].reactions[:])
    told = REASON_CHANGED if t.reason != a.reason else 0
    if t.reaction_slot != 0:
        told |= REACTED
    goes = t.ref_kind == _POSE or t.ref_kind == _PATH
    if a.ref_stalled > _STALL_TIME and goes and t.ref_seq == a.ref_seq:
        # the target cannot be reached
        t.ref_kind = _HOLD
        told |= STALLED
    return told


@kernel
def fail_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[SupervisorParams]) -> None:
    """Write all supervisor columns of a tick in which something raised: enter the fault state."""
    copy_commanded(prev, tick, p)
    tick[0].reaction_slot = 0
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
        "reactions_armed": 0,
    }
