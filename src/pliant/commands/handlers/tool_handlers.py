"""Handlers of the commands to the tool: wrench targets, force-controlled axes, its reference."""

import numpy as np

from pliant import commands as c
from pliant.commands.handlers import no_effect, refusals
from pliant.commands.handlers.context import HandlerContext
from pliant.commands.handlers.moved_poses import after_switch
from pliant.commands.handlers.turns import clip_turn, turn_between
from pliant.commands.reply import Reply, clamp, clamped, numbers
from pliant.errors import Refused
from pliant.laws.hybrid_admittance.axes import axes_from_mask
from pliant.numerics.force_frame import TASK, TOOL, WORLD
from pliant.numerics.spatial import Array
from pliant.pose import moved
from pliant.reasons import State
from pliant.stages.reference import RefKind
from pliant.tick import Rows
from pliant.tick_column import copy_rows

FRAMES = {"tool": TOOL, "world": WORLD, "task": TASK}


def set_wrench(context: HandlerContext, command: c.SetWrench, row: Rows) -> Reply:
    """Set the wrench target, clamped to the limits."""
    state = context.wishes.state(row)
    if state == State.STOPPING:
        raise Refused("the law is coming to rest: activate one first")
    refusals.refuse_in_fault(state, row)
    asked, limit = command.wrench, context.config.supervisor.wrench_limit
    applied = clamp(asked, limit)
    context.wishes["w_target"] = np.array(applied)
    context.wishes["w_target_frame"] = FRAMES[command.frame]
    text = f"wrench target {numbers(applied)} in {command.frame} axes{clamped(asked, applied)}"
    text += no_effect.of_wrench(context, np.array(applied), command.frame, row)
    return Reply(text=text, value=context.wishes["w_target"])


def set_axes(context: HandlerContext, command: c.SetAxes, row: Rows) -> Reply:
    """Choose the force-controlled axes."""
    reply = _select(context, *axes_from_mask(command.mask), command.frame, row)
    if not command.turn:
        _switch_axes(context, row)
    return reply


def set_subspace(context: HandlerContext, command: c.SetSubspace, row: Rows) -> Reply:
    """Choose the force-controlled directions by a matrix."""
    reply = _select(context, np.array(command.Tr), command.n_af, command.frame, row)
    _switch_axes(context, row)
    return reply


def _select(context: HandlerContext, Tr: Array, n_af: int, frame: str, row: Rows) -> Reply:
    refusals.refuse_limp_axes(context.config, Tr, n_af)
    context.wishes.update({"Tr": Tr, "n_af": n_af, "axes_frame": FRAMES[frame]})
    where = "" if frame == "tool" else f", in {frame} axes"
    text = f"{n_af} of 6 axes force-controlled{where}{no_effect.of_axes(context, n_af, row)}"
    return Reply(text=text, value=(Tr, n_af))


def _switch_axes(context: HandlerContext, row: Rows) -> None:
    """Count a change of axes; a reference at rest stays where the switch leaves it."""
    context.wishes["axes_seq"] = context.wishes.now(row, "axes_seq") + 1
    if row["ref_done"][0] and "ref_kind" not in context.wishes:
        context.wishes["ref_kind"] = RefKind.HOLD


def set_task_frame(context: HandlerContext, command: c.SetTaskFrame, row: Rows) -> Reply:
    """Set the task frame; axes that are given in it turn with it, without a jump."""
    pose = np.array(command.pose)
    context.wishes["X_WF"] = pose
    if context.wishes.now(row, "axes_frame") == TASK and not command.turn:
        _switch_axes(context, row)
    return Reply(text=f"task frame {numbers(pose)}", value=pose)


def move_to(context: HandlerContext, command: c.MoveTo, row: Rows) -> Reply:
    """Move the reference to a pose."""
    context.refuse_without_law(row, "tool")
    start, pose = row["X_WR"][0], np.array(command.pose)
    return _move(context, start, pose, command.speed, row, turn_between(start, pose))


def move_by(context: HandlerContext, command: c.MoveBy, row: Rows) -> Reply:
    """Move the reference by a translation and a rotation."""
    context.refuse_without_law(row, "tool")
    moving = context.wishes.ref_kind(row) in (RefKind.POSE, RefKind.RETRACT)
    start = context.wishes.now(row, "X_WR_target") if moving else _resting(context, row)
    delta, turn = clip_turn(np.array(command.delta))
    pose = moved(start, delta, command.frame)
    return _move(context, start, pose, command.speed, row, turn)


def _move(
    context: HandlerContext,
    start: Array,
    pose: Array,
    speed: float | None,
    row: Rows,
    turn: str,
) -> Reply:
    """Send the reference to a pose that the arm can reach; the reply tells of its turn."""
    refusals.refuse_outside(pose, context.config.safety)
    refusals.refuse_out_of_reach(pose, context.reference.closest_pose(row, pose))
    limits = np.zeros(2)
    if speed is not None:
        refusals.refuse_speed(speed, context.config)
        most = context.config.reference.max_speed
        limits[:] = speed, speed / most[0] * most[1]
    context.wishes.update({"ref_kind": RefKind.POSE, "X_WR_target": pose, "ref_speed": limits})
    context.count_motion(row)
    told = f"{turn}{no_effect.of_move(context, start, pose, row)}"
    return Reply(text=f"moving to {numbers(pose)}{told}", value=pose)


def _resting(context: HandlerContext, row: Rows) -> Array:
    """Where a reference at rest will be; axes that stop being compliant stay where they are."""
    if "axes_seq" not in context.wishes:
        return row["X_WR"][0]
    after = copy_rows(row)
    for name in ("Tr", "n_af", "axes_frame", "X_WF"):
        after[name][0] = context.wishes.now(row, name)
    return after_switch(row, after)


def jog(context: HandlerContext, command: c.Jog, row: Rows) -> Reply:
    """Move the reference with a velocity."""
    context.refuse_without_law(row, "tool")
    context.wishes.update(
        {
            "ref_kind": RefKind.JOG,
            "ref_speed": 0.0,
            "v_jog": command.twist,
            "v_jog_frame": FRAMES[command.frame],
            "jog_until": row["time"][0] + context.dt + command.timeout,
        }
    )
    return Reply(text=f"jogging {numbers(command.twist)} for {command.timeout:g} s")


def hold(context: HandlerContext, _command: c.Hold, _row: Rows) -> Reply:
    """Stop the reference where it is."""
    context.wishes["ref_kind"] = RefKind.HOLD
    return Reply(text="holding")


HANDLERS = {
    c.SetWrench: set_wrench,
    c.SetAxes: set_axes,
    c.SetSubspace: set_subspace,
    c.SetTaskFrame: set_task_frame,
    c.MoveTo: move_to,
    c.MoveBy: move_by,
    c.Jog: jog,
    c.Hold: hold,
}
"""The handlers of the commands to the tool."""
