"""Commands to the gripper on an arm."""

from pliant.commands.command import Command, argument
from pliant.params import Positive

_SPEED, _FORCE = "Speed of the fingers.", "Force to hold it with."
_WIDEST, _FASTEST, _STRONGEST = 1.0, 1.0, 1000.0


class GripperCommand(Command):
    """Base of the commands to the gripper."""


class HomeGripper(GripperCommand):
    """Find out how far the gripper opens, which it has to know once; it closes and opens."""

    word = "HOME_GRIPPER"


class MoveGripper(GripperCommand):
    """Move the fingers of the gripper to a width."""

    word = "MOVE_GRIPPER"
    width: float = argument("width", "m", "Distance of the fingers.", ge=0.0, le=_WIDEST)
    speed: Positive = argument("speed", "m/s", _SPEED, 0.05, le=_FASTEST)


class Grasp(GripperCommand):
    """Close the gripper on an object; it is grasped if its width is about the expected one."""

    word = "GRASP"
    width: float = argument("width", "m", "Width of the object.", ge=0.0, le=_WIDEST)
    force: Positive = argument("force", "N", _FORCE, 20.0, le=_STRONGEST)
    speed: Positive = argument("speed", "m/s", _SPEED, 0.05, le=_FASTEST)
    inner: float = argument("inner", "m", "How much narrower it may be.", 5e-3, ge=0.0, le=_WIDEST)
    outer: float = argument("outer", "m", "How much wider it may be.", 5e-3, ge=0.0, le=_WIDEST)


class StopGripper(GripperCommand):
    """Stop the gripper; it lets go of what it holds."""

    word = "STOP_GRIPPER"
