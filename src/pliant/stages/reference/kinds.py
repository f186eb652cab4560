"""Kinds of references, and which of them a law follows.

The codes are constants in `@kernel` functions.
"""

from enum import IntEnum


class RefKind(IntEnum):
    """Kind of the reference."""

    HOLD = 0
    POSE = 1
    JOG = 2
    HOMING = 3
    SINUS = 4
    FOLLOW_HAND = 5
    PLAYBACK = 6
    CIRCLE = 7
    BRAKE = 8
    RETRACT = 9
    PATH = 10


class Takes(IntEnum):
    """What a law takes as its reference."""

    TOOL = 0
    JOINTS = 1
    NOTHING = 2
