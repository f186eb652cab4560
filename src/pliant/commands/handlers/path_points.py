"""The points of a timed path of the tool, as they come."""

import numpy as np

from pliant import commands as c
from pliant.commands.handlers import refusals
from pliant.commands.handlers.context import HandlerContext
from pliant.commands.reply import Reply
from pliant.errors import Refused
from pliant.stages.reference import RefKind
from pliant.stages.reference.config import MOST_POINTS
from pliant.tick import Rows


def collect_points(context: HandlerContext, command: c.FollowPath, row: Rows) -> Reply:
    """Keep the points of a path, or append to those that came before."""
    if context.wishes.ref_kind(row) == RefKind.PATH:
        if not row["ref_done"][0]:
            raise Refused("a path is being followed: hold first, or wait until it is done")
        # the reference rests at the end of a path that is no longer there
        context.wishes["ref_kind"] = RefKind.HOLD
    points = command.points
    if command.action == "add":
        points = (*context.config.reference.path.points, *points)
    if len(points) > MOST_POINTS:
        raise Refused(f"a path has at most {MOST_POINTS} points, not {len(points)}")
    if points[0][0] != 0.0:
        raise Refused(f"a path begins at time 0, not at {points[0][0]:g} s")
    times = np.array([point[0] for point in points])
    if (np.diff(times) < context.dt).any():
        at = int(np.argmax(np.diff(times) < context.dt))
        raise Refused(
            f"the times of a path increase by a control period, {context.dt:g} s, or more: after "
            f"{times[at]:g} s comes {times[at + 1]:g} s"
        )
    for point in points[-len(command.points) :]:
        refusals.refuse_outside(np.array(point[1:]), context.config.safety)
    context.store_path(points)
    return Reply(text=f"{len(points)} points, {times[-1]:g} s", value=len(points))
