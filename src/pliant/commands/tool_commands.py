"""Commands to the tool: wrench targets, force-controlled axes, its reference, a push."""

from typing import Annotated

import numpy as np
from pydantic import BeforeValidator, model_validator

from pliant.commands.command import Command, argument, plain_value
from pliant.params import ForceFrame, Frame, Positive, Six, six_numbers
from pliant.pose import PoseNumbers

Matrix6 = Annotated[tuple[Six, Six, Six, Six, Six, Six], BeforeValidator(plain_value)]
Mask = Annotated[tuple[bool, bool, bool, bool, bool, bool], BeforeValidator(six_numbers)]

SPEED = "Speed limit of this move, by name, speed=0.05; rotation in proportion."
_AXES_OF = "Whose axes they are: tool, world, or those of the task frame."
_UNIT_TOLERANCE = 1e-6
_PUSH_FORCE, _PUSH_TORQUE = 100.0, 10.0


class SetWrench(Command):
    """Set the wrench to be sensed along force-controlled axes."""

    word = "SET_WRENCH"
    aliases = ("WRENCH",)
    moves = True
    wrench: Six = argument("Fx Fy Fz Tx Ty Tz", "N, N·m", "Wrench on the tool, at the TCP.")
    frame: ForceFrame = argument(
        "frame", "", "Axes of the wrench: tool, world, or those of the task frame.", "tool"
    )


class SetAxes(Command):
    """Choose the force-controlled axes; those of another frame keep their direction in the world.

    The gains of the law are in the same axes.
    """

    word = "SET_AXES"
    aliases = ("AXIS",)
    mask: Mask = argument("x y z rx ry rz", "0 or 1", "1 where the axis is force-controlled.")
    frame: ForceFrame = argument("frame", "", _AXES_OF, "tool")
    turn: bool = argument(
        "turn",
        "0 or 1",
        "By name, turn=1: they are the axes of before in another frame, and force control goes "
        "on; otherwise it begins anew.",
        False,
    )


class SetSubspace(Command):
    """Choose the force-controlled directions: the first rows of an orthonormal matrix."""

    word = "SET_SUBSPACE"
    aliases = ("SUBSPACE",)
    n_af: int = argument("n", "1", "How many rows are force-controlled.", ge=0, le=6)
    Tr: Matrix6 = argument(
        " ".join(f"t{i}{j}" for i in range(6) for j in range(6)),
        "1",
        "Orthonormal, by rows; the force-controlled ones come first.",
    )
    frame: ForceFrame = argument("frame", "", _AXES_OF, "tool")

    @model_validator(mode="after")
    def _orthonormal(self) -> "SetSubspace":
        Tr = np.array(self.Tr)
        if np.abs(Tr).max() > 1.0 + _UNIT_TOLERANCE:
            raise ValueError("Tr is not orthonormal: it has entries beyond ±1")
        off = float(np.abs(Tr @ Tr.T - np.eye(6)).max())
        if off > _UNIT_TOLERANCE:
            raise ValueError(f"Tr is not orthonormal: Tr·Trᵀ differs from 1 by {off:.2g}")
        return self


class SetTaskFrame(Command):
    """Set the task frame, whose axes force-controlled axes, gains and wrench targets may have."""

    word = "SET_TASK_FRAME"
    pose: PoseNumbers = argument(
        "x y z rx ry rz",
        "m, rad",
        "Its pose in the world, as in MOVE_TO; its orientation acts, forces are at the TCP.",
    )
    turn: bool = argument(
        "turn",
        "0 or 1",
        "By name, turn=1: axes that are given in it turn with it, as those of the tool turn with "
        "the tool, and force control goes on; otherwise it begins anew in the new axes.",
        False,
    )


class MoveBy(Command):
    """Move the reference by a translation and a rotation vector."""

    word = "MOVE_BY"
    aliases = ("RELD",)
    moves = True
    delta: Six = argument(
        "dx dy dz drx dry drz", "m, rad", "Relative to the current target of the reference."
    )
    frame: Frame = argument("frame", "", "Axes of both; the tool turns about its TCP.", "world")
    speed: Positive | None = argument("speed", "m/s", SPEED, None)


class MoveTo(Command):
    """Send the reference to a pose in the world."""

    word = "MOVE_TO"
    aliases = ("REFA",)
    moves = True
    pose: PoseNumbers = argument(
        "x y z rx ry rz", "m, rad", "Position and rotation vector, or x y z and qw qx qy qz."
    )
    speed: Positive | None = argument("speed", "m/s", SPEED, None)


class Jog(Command):
    """Move the reference with a velocity until the command times out."""

    word = "JOG"
    moves = True
    streams = True
    twist: Six = argument("vx vy vz wx wy wz", "m/s, rad/s", "Velocity of the reference.")
    frame: Frame = argument("frame", "", "Axes of the velocity.", "world")
    timeout: Positive = argument("timeout", "s", "When the velocity returns to zero.", 0.2, le=2.0)


class Hold(Command):
    """Stop the reference where it is."""

    word = "HOLD"


class Push(Command):
    """Push the tool of a simulated arm for a while; a new push replaces the last."""

    word = "PUSH"
    moves = True
    streams = True
    wrench: Six = argument(
        "Fx Fy Fz Tx Ty Tz", "N, N·m", "Wrench of a hand on the tool, at the TCP."
    )
    frame: Frame = argument("frame", "", "Axes of the wrench.", "world")
    seconds: Positive = argument("seconds", "s", "How long it lasts.", 0.2, le=10.0)

    @model_validator(mode="after")
    def _of_a_hand(self) -> "Push":
        if (
            max(map(abs, self.wrench[:3])) > _PUSH_FORCE
            or max(map(abs, self.wrench[3:])) > _PUSH_TORQUE
        ):
            raise ValueError(
                f"a hand pushes with at most {_PUSH_FORCE:g} N and {_PUSH_TORQUE:g} N·m"
            )
        return self
