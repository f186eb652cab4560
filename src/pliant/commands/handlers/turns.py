"""Turns of a move: told where they are large; those of a relative move clipped to a full turn."""

from math import degrees, pi

import numpy as np

from pliant.commands.reply import warned
from pliant.numerics.spatial import Array, pose_error

_MOST = 2.0 * pi
_LARGE = pi / 4.0
_HALF = pi * (1.0 + 1e-9)


def clip_turn(delta: Array) -> tuple[Array, str]:
    """A relative move with each angle within ±360°, and what to say of its turn in the reply."""
    clipped = np.array(delta)
    clipped[3:] = np.clip(clipped[3:], -_MOST, _MOST)
    angle = float(np.linalg.norm(clipped[3:]))
    beyond = (clipped != delta).any()
    cut = "angles are in rad, and clipped to 360° about each axis; " if beyond else ""
    if angle > _HALF:
        left = angle % _MOST
        short = left - _MOST if left > pi else left
        return clipped, warned(
            f"{cut}a turn by {degrees(angle):.0f}° ends where one by {degrees(short):.0f}° does, "
            "and the tool goes the shorter way"
        )
    if cut:
        return clipped, warned(cut.removesuffix("; "))
    return clipped, _large(angle)


def turn_between(start: Array, goal: Array) -> str:
    """What to say in the reply of the turn from one pose to another."""
    step = np.empty(6)
    pose_error(start, goal, step)
    return _large(float(np.linalg.norm(step[3:])))


def _large(angle: float) -> str:
    return f"; a large turn, {degrees(angle):.0f}°" if angle > _LARGE else ""
