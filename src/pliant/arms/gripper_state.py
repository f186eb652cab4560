"""Codes of `gripper_state`, and what they mean."""

from enum import IntEnum


class GripperState(IntEnum):
    """What a gripper does, or how its last command ended."""

    NONE = 0
    READY = 1
    MOVING = 2
    MISSED = 3
    STOPPED = 4
    FAILED = 5
    LOST = 6

    @property
    def text(self) -> str:
        """In words."""
        return _TEXT[self]


_TEXT = {
    GripperState.NONE: "there is no gripper",
    GripperState.READY: "it did what it was asked",
    GripperState.MOVING: "it moves",
    GripperState.MISSED: "it met nothing of that width, or did not get to it",
    GripperState.STOPPED: "it was stopped",
    GripperState.FAILED: "it refused or failed; home it, and ask for what it can do",
    GripperState.LOST: "the connection to it is lost; its next command connects again",
}
