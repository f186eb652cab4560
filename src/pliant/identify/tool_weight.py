"""Weighing the tool: by moving the arm, or from ticks recorded earlier."""

from math import cos, pi, radians, sin

import numpy as np

from pliant.api.arm import Arm
from pliant.arms.tool import Tool
from pliant.identify.probing import come_to_rest, go_back, position_control, watch
from pliant.identify.weighing import RestPose, ToolFit, fit_tool, rest_pose
from pliant.numerics.spatial import Array, quat_multiply
from pliant.stages.wrench import AT_REST
from pliant.tick import Rows

_SETTLE = 0.3
_LEAST_REST = 0.2


def identify_tool(
    arm: Arm, *, tilt: float = radians(50.0), seconds: float = 0.6, poses: int = 8
) -> ToolFit:
    """Turn the tool about its TCP to several orientations and weigh it.

    The arm moves under position control and ends where it began. The tool must be free, with
    room around it as far as it is long.

    Args:
        arm: The arm, at rest.
        tilt: How far the tool is turned from where it is, rad.
        seconds: How long the sensor is averaged in each pose.
        poses: How many orientations.

    Raises:
        PosesTooAlike: The orientations reached do not tell the figures apart.
    """
    return fit_tool(rotate_tool(arm, tilt, seconds, poses), arm.config.tool)


def rotate_tool(arm: Arm, tilt: float, seconds: float, poses: int) -> list[RestPose]:
    """What the sensor says in several orientations; see `identify_tool`."""
    start = np.array(arm.tick.X_WT)
    seen = []
    with position_control(arm):
        for quat in orientations(start[3:], tilt, poses):
            arm.move_to([*start[:3], *quat])
            # if it stands at a limit of the arm instead, what it reads there is as good
            come_to_rest(arm, _SETTLE)
            seen.append(rest_pose(watch(arm, seconds), arm.config.tool))
            # straight to the next, an arm of seven joints would end up in another posture
            go_back(arm, start)
    return seen


def orientations(quat: Array, tilt: float, count: int) -> list[Array]:
    """Where it is, and tilted in directions all around, near and far by turns."""
    result = [quat]
    for i in range(count - 1):
        around = 2.0 * pi * i / (count - 1)
        half = 0.5 * (tilt if i % 2 == 0 else 0.6 * tilt)
        lean = np.array([cos(half), sin(half) * cos(around), sin(half) * sin(around), 0.0])
        out = np.empty(4)
        quat_multiply(quat, lean, out)
        result.append(out)
    return result


def tool_from_rows(rows: Rows, tool: Tool) -> ToolFit:
    """Weigh the tool from recorded ticks, wherever the arm was at rest in them.

    Raises:
        PosesTooAlike: The poses do not tell the figures apart.
    """
    still = np.abs(rows["v_WT_W"]).max(axis=1) < AT_REST
    edges = np.flatnonzero(np.diff(still.astype(int), prepend=0, append=0))
    poses = []
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        settled = rows[begin + round(_SETTLE / rows["dt"][0]) : end]
        if len(settled) * rows["dt"][0] >= _LEAST_REST:
            poses.append(rest_pose(settled, tool))
    return fit_tool(poses, tool)
