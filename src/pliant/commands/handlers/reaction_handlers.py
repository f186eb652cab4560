"""Handlers of the commands that arm and disarm conditions."""

from collections.abc import Callable
from typing import Any

import numpy as np

from pliant import commands as c
from pliant.commands.handlers import refusals
from pliant.commands.handlers.context import HandlerContext
from pliant.commands.line_protocol import parse
from pliant.commands.reply import Reply, clamp, clamped
from pliant.errors import Refused
from pliant.reasons import State, Verdict
from pliant.stages.supervisor.armed_reactions import slot_row
from pliant.stages.supervisor.conditions import Condition, code_of, condition
from pliant.stages.supervisor.reaction import Reaction, ReactionKind, reaction
from pliant.tick import MOST_REACTIONS, REACTION_SIZE, Rows

Handler = Callable[[HandlerContext, Any, Rows], Reply]

_FRAMES = {"tool": 0.0, "world": 1.0}


def react(context: HandlerContext, command: c.React, row: Rows) -> Reply:
    """Arm a condition with its reaction."""
    what = reaction(command.reaction)
    numbers, note = _numbers(context, what)
    number = _arm(context, condition(command.condition), what, numbers, row)
    return Reply(text=f"armed {number}: {command.condition}: {what}{note}", value=number)


def until(take: Handler) -> Handler:
    """The handler of a motion with a condition.

    Args:
        take: Gives the motion's command to its own handler.
    """

    def handle(context: HandlerContext, command: c.Until, row: Rows) -> Reply:
        motion = parse(command.line)
        if not motion.moves or isinstance(motion, c.Until | c.React | c.Push):
            raise Refused(f"{motion.word} starts no motion: put UNTIL before one that does")
        reply = take(context, motion, row)
        number = _arm(context, condition(command.condition), Reaction.hold(), (), row)
        return Reply(text=f"{reply.text}; armed {number}: {command.condition}: hold", value=number)

    return handle


def disarm(context: HandlerContext, command: c.Disarm, row: Rows) -> Reply:
    """Disarm one condition, or all."""
    armed = int(context.wishes.now(row, "reactions_armed"))
    left = 0 if command.number == "all" else armed & ~(1 << (command.number - 1))
    context.wishes["reactions_armed"] = left
    return Reply(text=f"disarmed; {left.bit_count()} still armed", value=left.bit_count())


def _arm(
    context: HandlerContext,
    what: Condition,
    then: Reaction,
    numbers: tuple[float, ...],
    row: Rows,
) -> int:
    """Write a condition into the first free slot; its number."""
    state = context.wishes.state(row)
    refusals.refuse_in_fault(state, row)
    if state == State.STOPPING:
        raise Refused("the law is coming to rest: activate one first")
    _refuse_unreadable(what, row)
    armed = int(context.wishes.now(row, "reactions_armed"))
    free = [i for i in range(MOST_REACTIONS) if not armed >> i & 1]
    if not free:
        raise Refused(
            f"{MOST_REACTIONS} conditions are armed, and no more can be: disarm one first"
        )
    codes = [code_of(term, row["q"].shape[1]) for term in what.terms]
    table = np.array(context.wishes.now(row, "reactions"))
    begin = free[0] * REACTION_SIZE
    table[begin : begin + REACTION_SIZE] = slot_row(codes, what, context.dt, then, numbers)
    held = np.array(context.wishes.now(row, "reaction_k"))
    held[free[0]] = 0
    context.wishes.update(
        {"reactions": table, "reactions_armed": armed | 1 << free[0], "reaction_k": held}
    )
    return free[0] + 1


def _refuse_unreadable(what: Condition, row: Rows) -> None:
    """Refuse a condition on values that cannot be trusted, or are none on this arm."""
    for term in what.terms:
        name = term.quantity.column
        verdict = Verdict(int(row["verdict"][0]))
        if name in ("w_T", "w_T_raw", "w_T_filtered") and verdict is not Verdict.READY:
            raise Refused(f"{term} needs the force sensor: {verdict.text}")
        if not np.isfinite(row[name][0]).all():
            raise Refused(f"{term}: {name} is no number on this arm")


def _numbers(context: HandlerContext, what: Reaction) -> tuple[tuple[float, ...], str]:
    """What a reaction needs in the tick, and what to say of it."""
    if what.kind is ReactionKind.LAW:
        refusals.refuse_unknown_law(what.word, context.law_names)
        return (float(context.law_names.index(what.word)),), ""
    if what.kind is ReactionKind.WRENCH:
        applied = clamp(what.numbers, context.config.supervisor.wrench_limit)
        return (*applied, _FRAMES[what.word]), clamped(what.numbers, applied)
    return what.numbers, ""


HANDLERS: dict[type[c.Command], Handler] = {c.React: react, c.Disarm: disarm}
"""The handlers of the commands that arm conditions, but for UNTIL, which needs all others."""
