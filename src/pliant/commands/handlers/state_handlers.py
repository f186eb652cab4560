"""Handlers of laws, reference motions, zeroing, reset and commands to the joints."""

from typing import Any

import numpy as np

from pliant import commands as c
from pliant.commands.handlers import refusals
from pliant.commands.handlers.context import HandlerContext
from pliant.commands.handlers.path_points import collect_points
from pliant.commands.handlers.reference_motions import begin, start_of
from pliant.commands.reply import Reply
from pliant.config import names_of
from pliant.errors import Refused, UnknownNameError
from pliant.params import Params
from pliant.reasons import Reason, State, Verdict
from pliant.stages.joints import JointMode
from pliant.stages.joints.joint_modes import joint_faults
from pliant.stages.reference import RefKind
from pliant.stages.supervisor.stage import without_law
from pliant.tick import Rows


def activate(context: HandlerContext, command: c.Activate, row: Rows) -> Reply:
    """Activate a law; it starts from where the arm is."""
    refusals.refuse_unknown_law(command.law, context.law_names)
    index = context.law_names.index(command.law)
    state = context.wishes.state(row)
    refusals.refuse_in_fault(state, row)
    context.joints.refuse_unless_ready(row, context.wishes.after(row))
    verdict = Verdict(int(row["verdict"][0]))
    if context.laws[index].needs_force and verdict is not Verdict.READY:
        raise Refused(f"{command.law} needs the force sensor: {verdict.text}")
    warning = set_law(context, command.law, command.parameters, row) if command.parameters else ""
    if context.wishes.law(row) == index and state == State.ACTIVE:
        return Reply(text=f"{command.law} is active already{warning}", value=command.law)
    context.wishes.update(
        {
            "state": State.ACTIVE,
            "state_since": row["time"][0] + context.dt,
            "reason": Reason.NONE,
            "law": index,
            "law_seq": context.wishes.now(row, "law_seq") + 1,
            "ref_kind": RefKind.HOLD,
            "mode_wanted": (
                JointMode.TORQUE if context.gives_torque(index) else JointMode.POSITION_DIRECT
            ),
        }
    )
    return Reply(text=f"{command.law} active{warning}", value=command.law)


def set_law(context: HandlerContext, law: str, parameters: dict[str, Any], row: Rows) -> str:
    """Change some parameters of a law, and return a warning to add to the reply."""
    path = f"laws.{law}"
    # a law of a user's own without parameters has no section
    known = context.config.get(path) if law in names_of(context.config.laws) else Params()
    for name in parameters:
        if name not in names_of(known):
            raise UnknownNameError(f"parameter of {law}", name, names_of(known))
    values = {name: getattr(known, name) for name in names_of(known)} | parameters
    return context.adopt(context.config.replace(path, values), "laws", row)


def deactivate(context: HandlerContext, _command: c.Deactivate, row: Rows) -> Reply:
    """End the active law."""
    if context.wishes.state(row) != State.ACTIVE:
        return Reply(text="no law is active")
    context.deactivate(row, Reason.STOP_ASKED)
    return Reply(text="stopping")


def reset(context: HandlerContext, _command: c.Reset, row: Rows) -> Reply:
    """Leave a fault whose cause is gone; without one, that of every joint."""
    if context.wishes.state(row) != State.FAULT:
        cleared = context.joints.clear(row, context.wishes.after(row))
        context.wishes.update(cleared)
        return Reply(text="joints reset; inactive" if cleared else "no fault to reset")
    refusals.refuse_unless_cause_gone(row, context.wishes.new_limits)
    context.wishes.update(context.joints.clear(row, context.wishes.after(row)))
    context.wishes.update(
        {
            "state": State.INACTIVE,
            "state_since": row["time"][0] + context.dt,
            "reason": Reason.NONE,
        }
    )
    return Reply(text="reset; inactive")


def zero(context: HandlerContext, _command: c.Zero, row: Rows) -> Reply:
    """Start to zero the force sensor."""
    asked = np.any(context.wishes.now(row, "w_target")) or np.any(row["w_desired_T"][0])
    refusals.refuse_zeroing(
        row, context.wishes.law(row) >= 0 and bool(asked), context.config.wrench
    )
    context.wishes["zero_seq"] = context.wishes.now(row, "zero_seq") + 1
    return Reply(text=f"zeroing for {context.config.wrench.zero_time:g} s")


def start_reference(context: HandlerContext, command: c.StartReference, row: Rows) -> Reply:
    """Start a motion of the reference."""
    if isinstance(command, c.FollowPath) and command.action != "run":
        return collect_points(context, command, row)
    of_tool = isinstance(command, c.Circle | c.FollowPath)
    context.refuse_without_law(row, "tool" if of_tool else "joints")
    law = context.laws[context.wishes.law(row)]
    start = start_of(row, law, fresh="law" in context.wishes)
    wanted = begin(command, start, context.reference, context.config)
    context.wishes.update({"ref_since": row["time"][0], "ref_time": 0.0} | wanted)
    context.count_motion(row)
    return Reply(text=f"{type(command).word.lower()} begun")


def command_joints(context: HandlerContext, command: c.JointCommand, row: Rows) -> Reply:
    """Decide on a command to the joints."""
    law = context.wishes.law(row)
    if command.acts and not command.idles:
        refusals.refuse_in_fault(context.wishes.state(row), row)
        if law >= 0:
            raise Refused(f"{context.law_names[law]} drives the joints: deactivate it first")
        if row["new_fault"][0]:
            raise Refused(f"{joint_faults(row)}: the other joints come to rest; ask again")
    columns, text = context.joints.take(command, row, context.wishes.after(row))
    if law >= 0 and command.acts:
        columns |= without_law(row["time"][0] + context.dt)
    context.wishes.update(columns)
    return Reply(text=text)


HANDLERS = {
    c.Activate: activate,
    c.Deactivate: deactivate,
    c.Reset: reset,
    c.Zero: zero,
    c.StartReference: start_reference,
    c.JointCommand: command_joints,
}
"""The handlers of the commands that change the state; a base class stands for its commands."""
