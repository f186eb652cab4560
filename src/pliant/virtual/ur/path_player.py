"""Plays moves that are written out in a program, blended where they are of one kind.

Where a movej meets a movel the arm stops, even if a blend radius is given there.
"""

from collections.abc import Generator, Sequence
from itertools import groupby

import numpy as np

from pliant.robots.ur.ur_frames import from_ur_pose
from pliant.virtual.ur.async_progress import AsyncProgress
from pliant.virtual.ur.motions.motion import Motion
from pliant.virtual.ur.motions.stop_motion import StopJoints, StopTool
from pliant.virtual.ur.motions.waypoint_motion import JointSpace, PathMotion, ToolSpace, Waypoint
from pliant.virtual.ur.program_text import Statement
from pliant.virtual.ur.ur_arm import UrArm

_KINDS = {"movej": "joint", "movel": "tool", "movep": "tool", "stopj": "stopj", "stopl": "stopl"}


def play_path(
    arm: UrArm, path: Sequence[Statement], progress: AsyncProgress | None = None
) -> Generator[None, None, None]:
    """Play statements one after the other; yields once per period."""
    for kind, group in groupby(path, key=lambda statement: _KINDS[statement.word]):
        part = list(group)
        if kind in ("joint", "tool"):
            yield from _play_moves(arm, part, kind == "joint", progress)
            continue
        for statement in part:
            stop = StopJoints if kind == "stopj" else StopTool
            yield from _play(arm, stop(statement.acceleration))


def _play_moves(
    arm: UrArm, moves: list[Statement], joints: bool, progress: AsyncProgress | None
) -> Generator[None, None, None]:
    motion = path_motion(arm, moves, joints)
    told = -1
    for _ in _play(arm, motion):
        for move in moves[told + 1 : motion.segment + 1]:
            if progress is not None and move.progress is not None:
                progress.at(move.progress)
        told = max(told, motion.segment)
        yield


def _play(arm: UrArm, motion: Motion) -> Generator[None, None, None]:
    arm.motion = motion
    while not motion.done:
        yield


def path_motion(arm: UrArm, moves: Sequence[Statement], joints: bool) -> PathMotion:
    """The motion along moves of one kind.

    Raises:
        ProgramError: A pose is out of reach.
    """
    kinematics, q = arm.kinematics, arm.target.q
    waypoints = []
    for move in moves:
        numbers = np.array(move.numbers)
        if joints:
            q = kinematics.inverse(from_ur_pose(numbers), q) if move.is_pose else numbers
            point = q
        else:
            point = from_ur_pose(numbers) if move.is_pose else kinematics.tool(numbers)
        waypoints.append(
            Waypoint(
                point=point, speed=move.speed, acceleration=move.acceleration, blend=move.blend
            )
        )
    start = arm.target.q if joints else kinematics.tool(arm.target.q)
    return PathMotion(JointSpace() if joints else ToolSpace(), start, waypoints)
