"""Identifies the tool's mass, by moving the arm or from recorded ticks."""

from math import cos, pi, radians, sin

import numpy as np

from pliant.api.arm import Arm
from pliant.arms.tool import Tool
from pliant.errors import Refused
from pliant.identify.probing import come_to_rest, go_back, position_control, watch
from pliant.identify.weighing import RestPose, ToolFit, fit_tool, rest_pose
from pliant.numerics.spatial import Array, quat_multiply
from pliant.stages.wrench import AT_REST
from pliant.tick import Rows

_SETTLE = 0.3
_MIN_REST = 0.2


def identify_tool(
    arm: Arm, *, tilt: float = radians(50.0), seconds: float = 0.6, poses: int = 8
) -> ToolFit:
    """Rotate the tool about its TCP to several orientations, and identify its mass.

    The arm moves under position control and returns to its start. The tool must be free, with at
    least its own length of clearance around it.

    Args:
        arm: The arm, at rest.
        tilt: Largest rotation from the current orientation, rad.
        seconds: Averaging time of the sensor in each pose.
        poses: Number of orientations.

    Raises:
        PosesTooSimilar: The orientations do not determine mass, centre of mass and bias.
    """
    return fit_tool(rotate_tool(arm, tilt, seconds, poses), arm.config.tool)


def rotate_tool(arm: Arm, tilt: float, seconds: float, poses: int) -> list[RestPose]:
    """Measure at rest in several orientations; see `identify_tool`."""
    start = np.array(arm.tick.X_WT)
    measured = []
    with position_control(arm):
        for quat in orientations(start[3:], tilt, poses):
            try:
                arm.move_to([*start[:3], *quat], wait=False)
            except Refused:
                # out of reach: the other orientations are enough
                continue
            # if a limit of the arm stops the motion earlier, the reading there is just as good
            come_to_rest(arm, _SETTLE)
            measured.append(rest_pose(watch(arm, seconds), arm.config.tool))
            # via the start, because a seven-joint arm would otherwise end in another posture
            go_back(arm, start)
    return measured


def orientations(quat: Array, tilt: float, count: int) -> list[Array]:
    """The current orientation, and tilted ones in all directions, by large and small angles."""
    result = [quat]
    for i in range(count - 1):
        direction = 2.0 * pi * i / (count - 1)
        half = 0.5 * (tilt if i % 2 == 0 else 0.6 * tilt)
        turn = np.array([cos(half), sin(half) * cos(direction), sin(half) * sin(direction), 0.0])
        out = np.empty(4)
        quat_multiply(quat, turn, out)
        result.append(out)
    return result


def tool_from_rows(rows: Rows, tool: Tool) -> ToolFit:
    """Identify the tool's mass from the ticks of a recording in which the arm was at rest.

    Raises:
        PosesTooSimilar: The poses do not determine mass, centre of mass and bias.
    """
    still = np.abs(rows["v_WT_W"]).max(axis=1) < AT_REST
    edges = np.flatnonzero(np.diff(still.astype(int), prepend=0, append=0))
    poses = []
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        settled = rows[start + round(_SETTLE / rows["dt"][0]) : end]
        if len(settled) * rows["dt"][0] >= _MIN_REST:
            poses.append(rest_pose(settled, tool))
    return fit_tool(poses, tool)
