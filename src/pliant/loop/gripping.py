"""The commands to the gripper on an arm: they reach it at once, and no stage knows of them."""

from pliant import commands as c
from pliant.commands.reply import Reply
from pliant.errors import Refused
from pliant.robots.base import Robot
from pliant.robots.gripper import Gripper


def grip(robot: Robot, command: c.GripperCommand) -> Reply:
    """Give a command to the gripper; the value of the reply is the command's number.

    Raises:
        Refused: There is no gripper, or it cannot do this now.
    """
    if robot.gripper is None:
        why = "a simulated one has none" if robot.simulated else "Pliant controls none on it"
        raise Refused(f"this arm has no gripper: {why}")
    return Reply(text=f"{command.word} begun", value=_begin(robot.gripper, command))


def _begin(gripper: Gripper, command: c.GripperCommand) -> int:
    match command:
        case c.HomeGripper():
            return gripper.home()
        case c.MoveGripper():
            return gripper.move(command.width, command.speed)
        case c.Grasp(width=width, force=force, speed=speed, inner=inner, outer=outer):
            return gripper.grasp(width, force, speed, inner, outer)
        case c.StopGripper():
            return gripper.stop()
    raise Refused(f"{command.word} is no command to a gripper")
