"""The push of a hand on a simulated arm, as a command."""

from pliant import commands as c
from pliant.commands.reply import Reply
from pliant.errors import Refused
from pliant.robots.base import Robot


def push(robot: Robot, command: c.Push) -> Reply:
    """Push the tool; the push replaces what the hand did.

    Raises:
        Refused: No hand can push this arm.
    """
    if robot.hand is None:
        raise Refused("only a simulated arm can be pushed by a command")
    robot.hand.release()
    axes = "T" if command.frame == "tool" else "W"
    robot.hand.schedule(command.wrench, axes=axes, duration=command.seconds)
    return Reply(text=f"pushing for {command.seconds:g} s")
