"""The armed conditions and their reactions: a table in the tick, judged in every tick.

A condition is judged after the wrench, so its reaction acts in the tick in which it first holds.
One that has held is no longer armed. If several hold in one tick, the lowest number acts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from pliant.numerics.byte_read import read_float, read_int
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import Array, norm3, quat_rotate
from pliant.params import KernelParams
from pliant.reasons import Reason, State, Verdict
from pliant.stages.joints import JointMode
from pliant.stages.reference import RefKind
from pliant.stages.supervisor.conditions import MOST_TERMS, Condition, is_this_tick, term_of
from pliant.stages.supervisor.hold_joints import hold_joints
from pliant.stages.supervisor.reaction import Reaction, ReactionKind
from pliant.tick import (
    MOST_REACTIONS,
    REACTION_SIZE,
    IntArray,
    Rows,
    Tick,
    column,
    columns,
    table_dtype,
    tick_dtype,
)

_RETRACT = ReactionKind.RETRACT.value
_STOP = ReactionKind.STOP.value
_LAW = ReactionKind.LAW.value
_WRENCH = ReactionKind.WRENCH.value
_HOLD_REFERENCE = RefKind.HOLD.value
_BRAKE = RefKind.BRAKE.value
_BACK = RefKind.RETRACT.value
_ACTIVE = State.ACTIVE.value
_STOPPING = State.STOPPING.value
_REACTION = Reason.REACTION.value
_READY = Verdict.READY.value
_IDLE = JointMode.IDLE.value
_DIRECT = JointMode.POSITION_DIRECT.value
_TORQUE = JointMode.TORQUE.value

# Speed of the reference below which a retraction goes along −z of the tool, m/s.
_STILL = 1e-6


class Slot:
    """One armed condition and its reaction, in the block `reactions` of the tick."""

    terms: Array = column("supervisor", (MOST_TERMS,), "1", "Codes of the comparisons; 0 is none.")
    values: Array = column("supervisor", (MOST_TERMS,), "", "The numbers compared with.")
    ticks: float = column("supervisor", (), "1", "For how many ticks in a row they must hold.")
    held: float = column("supervisor", (), "1", "For how many they have held.")
    kind: float = column("supervisor", (), "1", "What the reaction does.")
    numbers: Array = column("supervisor", (8,), "", "Distance and speed; wrench and frame; law.")


SLOT = table_dtype(Slot, 0)
assert SLOT.itemsize == 8 * REACTION_SIZE


@dataclass(frozen=True, kw_only=True, eq=False)
class ReactionParams(KernelParams):
    """Where a condition finds a column.

    Attributes:
        start: First byte of each column in a row.
        is_int: 1 for columns of integers.
        this_tick: 1 for columns that are read in this tick, 0 for those of the previous one.
        is_wrench: 1 for columns that are valid only while the wrench can be trusted.
        by_torque: For each law, 1 if it commands joint torques.
        needs_force: For each law, 1 if it may only run while the wrench is `READY`.
    """

    start: IntArray
    is_int: IntArray
    this_tick: IntArray
    is_wrench: IntArray
    by_torque: IntArray
    needs_force: IntArray


_OF_WRENCH = ("w_T_raw", "w_T_filtered", "w_T")


def reaction_params(n: int, by_torque: IntArray, needs_force: IntArray) -> np.ndarray:
    """The parameters for an arm with n joints and its laws, as a row."""
    fields = tick_dtype(n).fields
    declared = list(columns())
    return ReactionParams(
        start=np.array([fields[name][1] for name, _, _ in declared]),  # type: ignore[index]
        is_int=np.array([int(kind in (int, IntArray)) for _, _, kind in declared]),
        this_tick=np.array([int(is_this_tick(one)) for _, one, _ in declared]),
        is_wrench=np.array([int(name in _OF_WRENCH) for name, _, _ in declared]),
        by_torque=by_torque,
        needs_force=needs_force,
    ).row()


@kernel
def _value(prev: Row[Tick], tick: Row[Tick], p: Row[ReactionParams], code: int) -> float:
    """The number that a comparison looks at."""
    c = p[0]
    which = code & 255
    first, count = code >> 8 & 255, code >> 16 & 255
    start = c.start[which] + 8 * first
    squares, value = 0.0, 0.0
    for i in range(count):
        if c.is_int[which] != 0:
            value = float(read_int(tick if c.this_tick[which] != 0 else prev, start + 8 * i))
        else:
            value = read_float(tick if c.this_tick[which] != 0 else prev, start + 8 * i)
        squares += value * value
    return sqrt(squares) if code >> 28 != 0 else value


@kernel
def _holds(value: float, comparison: int, limit: float) -> bool:
    if comparison == 0:
        return value < limit
    if comparison == 1:
        return value <= limit
    if comparison == 2:
        return value > limit
    return value >= limit


@kernel
def _judge(prev: Row[Tick], tick: Row[Tick], p: Row[ReactionParams], slot: Row[Slot]) -> int:
    """1 if a condition has held long enough, -1 if its wrench cannot be trusted, else 0."""
    s = slot[0]
    holds = True
    for i in range(s.terms.shape[0]):
        code = int(s.terms[i])
        if code == 0:
            break
        if p[0].is_wrench[code & 255] != 0 and tick[0].verdict != _READY:
            return -1
        holds = holds and _holds(_value(prev, tick, p, code), code >> 24 & 15, s.values[i])
    s.held = s.held + 1.0 if holds else 0.0
    return 1 if s.held >= s.ticks else 0


@kernel
def react(prev: Row[Tick], tick: Row[Tick], p: Row[ReactionParams]) -> None:
    """Judge all armed conditions; the first that holds acts."""
    t = tick[0]
    table = t.reactions.view(SLOT)
    armed = t.reactions_armed
    for i in range(MOST_REACTIONS):
        if armed >> i & 1 == 0:
            continue
        verdict = _judge(prev, tick, p, table[i : i + 1])
        if verdict == 0:
            continue
        t.reactions_armed &= ~(1 << i)
        t.reaction_k[i] = verdict * t.k
        if t.reaction_slot == 0:
            t.reaction_slot = i + 1
            if verdict < 0:
                _hold(prev, tick)
            else:
                _act(prev, tick, p, table[i : i + 1])


@kernel
def _act(prev: Row[Tick], tick: Row[Tick], p: Row[ReactionParams], slot: Row[Slot]) -> None:
    """Write the columns that a reaction asks for."""
    t, s = tick[0], slot[0]
    kind = int(s.kind)
    if kind == _RETRACT and t.law >= 0:
        _retract(prev, tick, s.numbers[0], s.numbers[1])
    elif kind == _STOP:
        _stop(tick, p)
    elif kind == _LAW and _may_run(tick, p, int(s.numbers[0])):
        _switch(tick, p, int(s.numbers[0]))
    elif kind == _WRENCH:
        t.w_target[:] = s.numbers[:6]
        t.w_target_frame = int(s.numbers[6])
    else:
        _hold(prev, tick)


@kernel
def _hold(prev: Row[Tick], tick: Row[Tick]) -> None:
    tick[0].ref_kind = _BRAKE
    if tick[0].law < 0:
        hold_joints(prev, tick)


@kernel
def _retract(prev: Row[Tick], tick: Row[Tick], distance: float, speed: float) -> None:
    """Send the reference back along its path or, from rest, along −z of the tool."""
    a, t = prev[0], tick[0]
    back = scratch(3)
    moving = norm3(a.v_WR_W[:3])
    if moving > _STILL:
        for i in range(3):
            back[i] = -a.v_WR_W[i] / moving
    else:
        back[0], back[1], back[2] = 0.0, 0.0, -1.0
        quat_rotate(a.X_WR[3:], back, back)
    t.X_WR_target[:] = a.X_WR[:]
    for i in range(3):
        t.X_WR_target[i] += distance * back[i]
    t.ref_kind = _BACK
    t.ref_since = t.time
    t.ref_speed[0] = speed
    t.ref_speed[1] = 0.0


@kernel
def _stop(tick: Row[Tick], p: Row[ReactionParams]) -> None:
    t = tick[0]
    t.reason = _REACTION
    t.reactions_armed = 0
    if t.law < 0:
        t.mode_wanted[:] = _IDLE
    elif t.state == _ACTIVE:
        t.state = _STOPPING
        t.state_since = t.time
        t.w_target[:] = 0.0
        t.ref_kind = _BRAKE
        if p[0].by_torque[t.law] != 0:
            t.mode_wanted[:] = _IDLE


@kernel
def _may_run(tick: Row[Tick], p: Row[ReactionParams], law: int) -> bool:
    return p[0].needs_force[law] == 0 or tick[0].verdict == _READY


@kernel
def _switch(tick: Row[Tick], p: Row[ReactionParams], law: int) -> None:
    t = tick[0]
    if t.law == law and t.state == _ACTIVE:
        return
    t.state = _ACTIVE
    t.state_since = t.time
    t.reason = 0
    t.law = law
    t.law_seq += 1
    t.ref_kind = _HOLD_REFERENCE
    t.mode_wanted[:] = _TORQUE if p[0].by_torque[law] != 0 else _DIRECT


def slot_row(
    codes: Sequence[int], condition: Condition, dt: float, what: Reaction, numbers: Sequence[float]
) -> np.ndarray:
    """One armed condition as the kernel takes it.

    Args:
        codes: The codes of its comparisons.
        condition: The condition.
        dt: The control period, s.
        what: The reaction.
        numbers: What the reaction needs, as in `Slot.numbers`.
    """
    slot = np.zeros(1, SLOT)
    slot["terms"][0, : len(codes)] = codes
    slot["values"][0, : len(codes)] = [term.value for term in condition.terms]
    slot["ticks"] = condition.ticks_at(dt)
    slot["kind"] = what.kind
    slot["numbers"][0, : len(numbers)] = numbers
    return slot.view(np.float64)


def condition_of(row: Rows, number: int) -> Condition:
    """The condition of a slot."""
    slot = row["reactions"][0].view(SLOT)[number - 1]
    codes = [int(code) for code in slot["terms"] if code]
    terms = [term_of(code, float(v)) for code, v in zip(codes, slot["values"], strict=False)]
    return Condition(tuple(terms), ticks=int(slot["ticks"]))


def describe_slot(row: Rows, number: int, laws: Sequence[str]) -> str:
    """Condition and reaction of a slot in words, as in `force(z)>5: hold`."""
    slot = row["reactions"][0].view(SLOT)[number - 1]
    kind = ReactionKind(int(slot["kind"]))
    what = kind.name.lower()
    if kind is ReactionKind.RETRACT:
        what += f" {slot['numbers'][0]:g} m"
    elif kind is ReactionKind.LAW:
        what += f" {laws[int(slot['numbers'][0])]}"
    elif kind is ReactionKind.WRENCH:
        what += " " + " ".join(f"{value:g}" for value in slot["numbers"][:6])
    return f"{condition_of(row, number)}: {what}"


def explain_reaction(row: Rows, laws: Sequence[str]) -> str:
    """What reacted in a tick, in words."""
    number = int(row["reaction_slot"][0])
    what = describe_slot(row, number, laws)
    if row["reaction_k"][0][number - 1] < 0:
        verdict = Verdict(int(row["verdict"][0])).text
        return f"reaction {number} ({what}): the arm holds, as {verdict}"
    return f"reaction {number}: {what}"
