"""The commands: what a client may ask of a running arm, declared once.

Each is a frozen model with its word on the wire, and fields that carry token names, units, bounds
and meaning. The line parser, `HELP`, the JSON schema, the documentation page and the client derive
from these classes; `pliant.commands.handlers` decides on them. What is refused changes nothing.
"""

from math import isfinite
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, field_validator, model_validator

from pliant.arms.tool import Pose
from pliant.commands.command import Command, argument, plain_value
from pliant.commands.joint_commands import (
    Calibrate,
    InjectFault,
    PositionMove,
    QueryJoints,
    SetImpedance,
    SetInteraction,
    SetJointAcceleration,
    SetJointSpeed,
    SetMode,
    SetOutput,
    SetPosition,
    SetTorque,
    StopJoints,
    VelocityMove,
)
from pliant.commands.joint_commands import JointCommand as JointCommand
from pliant.commands.joint_commands import Motion as Motion
from pliant.params import Frame, Positive, Six, SixNonNegative, SixPositive


def _finite(value: Any) -> float:
    number = float(value)
    if not isfinite(number):
        raise ValueError(f"{value} is not a finite number")
    return number


PoseValues = Annotated[Pose, BeforeValidator(plain_value)]
Matrix6 = Annotated[tuple[Six, Six, Six, Six, Six, Six], BeforeValidator(plain_value)]
Mask = Annotated[tuple[bool, bool, bool, bool, bool, bool], BeforeValidator(plain_value)]


_UNIT_TOLERANCE = 1e-6


class SetWrench(Command):
    """Set the wrench to be sensed along force-controlled axes."""

    word = "WRENCH"
    wrench: Six = argument("Fx Fy Fz Tx Ty Tz", "N, N·m", "Wrench on the tool, at the TCP.")
    frame: Frame = argument("frame", "", "Axes of the wrench: tool or world.", "tool")


class SetAxes(Command):
    """Choose the force-controlled axes of the tool."""

    word = "AXIS"
    mask: Mask = argument("x y z rx ry rz", "0 or 1", "1 where the axis is force-controlled.")


class SetSubspace(Command):
    """Choose the force-controlled directions by the rows of an orthonormal matrix."""

    word = "SUBSPACE"
    n_af: int = argument("n", "1", "How many rows are force-controlled.", ge=0, le=6)
    Tr: Matrix6 = argument(
        " ".join(f"t{i}{j}" for i in range(6) for j in range(6)),
        "1",
        "Orthonormal, by rows; the force-controlled ones come first.",
    )

    @model_validator(mode="after")
    def _orthonormal(self) -> "SetSubspace":
        Tr = np.array(self.Tr)
        if np.abs(Tr).max() > 1.0 + _UNIT_TOLERANCE:
            raise ValueError("Tr is not orthonormal: it has entries beyond ±1")
        off = float(np.abs(Tr @ Tr.T - np.eye(6)).max())
        if off > _UNIT_TOLERANCE:
            raise ValueError(f"Tr is not orthonormal: Tr·Trᵀ differs from 1 by {off:.2g}")
        return self


class MoveBy(Command):
    """Move the reference by a translation and a rotation vector."""

    word = "RELD"
    delta: Six = argument("dx dy dz drx dry drz", "m, rad", "From where the reference is going.")
    frame: Frame = argument("frame", "", "Axes of both; the tool turns about its TCP.", "world")


class MoveTo(Command):
    """Send the reference to a pose in the world."""

    word = "REFA"
    pose: PoseValues = argument(
        "x y z rx ry rz", "m, rad", "Position and rotation vector, or x y z and qw qx qy qz."
    )


class Jog(Command):
    """Move the reference with a velocity until the command goes stale."""

    word = "JOG"
    twist: Six = argument("vx vy vz wx wy wz", "m/s, rad/s", "Velocity of the reference.")
    frame: Frame = argument("frame", "", "Axes of the velocity.", "world")
    timeout: Positive = argument("timeout", "s", "When it returns to zero.", 0.2, le=2.0)


class StartReference(Command):
    """Base of the commands that give the arm a motion of its own."""


class Home(StartReference):
    """Send the joints' reference to a configuration, with least jerk."""

    word = "HOME"
    time: Positive = argument("time", "s", "How long it takes.", 3.0, le=600.0)
    joints: Any = argument(
        "joints", "rad", "Where to, as a list with a value per joint; the arm's home if none.", None
    )

    @field_validator("joints", mode="before")
    @classmethod
    def _numbers(cls, value: Any) -> tuple[float, ...] | None:
        value = plain_value(value)
        if value is None:
            return None
        if not isinstance(value, list | tuple):
            raise ValueError("give a list with a number per joint, as in [0, -0.8, 0, …]")
        return tuple(_finite(number) for number in value)


class Sinus(StartReference):
    """Let the joints' reference swing as reference.sinus says."""

    word = "SINUS"


class FollowHand(StartReference):
    """Let the joints' reference follow the hand that pushes the tool, by reference.follow_hand."""

    word = "FOLLOW"


class Playback(StartReference):
    """Replay the motion of reference.playback.file with the joints' reference."""

    word = "PLAYBACK"


class Circle(StartReference):
    """Send the tool's reference along a circle, as reference.circle says."""

    word = "CIRCLE"


class Hold(Command):
    """Stop the reference where it is."""

    word = "HOLD"


_PUSH_FORCE, _PUSH_TORQUE = 100.0, 10.0


class Push(Command):
    """Push the tool of a simulated arm for a while; replaces the push before."""

    word = "PUSH"
    wrench: Six = argument(
        "Fx Fy Fz Tx Ty Tz", "N, N·m", "What a hand does to the tool, at the TCP."
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


class SetStiffness(Command):
    """Change the stiffness of the hybrid admittance law."""

    word = "STIFF"
    stiffness: SixNonNegative = argument(
        "k0 k1 k2 k3 k4 k5", "N/m, N·m/rad", "K, axes of the tool."
    )


class SetDamping(Command):
    """Change the explicit damping of the hybrid admittance law."""

    word = "DAMP"
    damping: SixNonNegative = argument(
        "d0 d1 d2 d3 d4 d5", "N·s/m, N·m·s/rad", "D, axes of the tool."
    )


class SetInertia(Command):
    """Change the inertia of the hybrid admittance law."""

    word = "INERT"
    inertia: SixPositive = argument("m0 m1 m2 m3 m4 m5", "kg, kg·m²", "M, axes of the tool.")


class UsePreset(Command):
    """Take the gains of a preset for the hybrid admittance law, or start a whole controller."""

    word = "PRESET"
    name: str = argument("name", "", "Name of the preset.")


class Zero(Command):
    """Zero the force sensor with the tool free."""

    word = "ZERO"


class Activate(Command):
    """Put a law in charge."""

    word = "LAW"
    law: str = argument("name", "", "Name of the law.")


class Deactivate(Command):
    """End the active law: force targets go to zero, then the arm holds."""

    word = "OFF"


class Reset(Command):
    """Leave a fault whose cause is gone; the arm holds, no law is active."""

    word = "RESET"


class SetParameter(Command):
    """Change a parameter of the configuration."""

    word = "SET"
    path: str = argument("path", "", "Where, as in laws.hybrid_admittance.stiffness.")
    value: Any = argument("value", "", "The new value, as YAML.")


class GetParameter(Command):
    """Read a parameter of the configuration."""

    word = "GET"
    anyone = True
    path: str = argument("path", "", "Where.")


class QueryState(Command):
    """Ask for the state, the law, the reason, the verdict on the sensor, and who is in control."""

    word = "STATE"
    anyone = True


class Lease(Command):
    """Take control, let go of it, or ask who has it."""

    word = "LEASE"
    anyone = True
    action: Literal["take", "release", "who"] = argument("action", "", "take, release or who.")


class SetName(Command):
    """Say how others are to call one; `pliant status` and who is refused see it."""

    word = "NAME"
    anyone = True
    name: str = argument(
        "name", "", "Letters, digits, '.', '_', '-'.", pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$"
    )


class Watchdog(Command):
    """Act on silence: any line from whoever is in control feeds it."""

    word = "WATCHDOG"
    seconds: float = argument("seconds", "s", "Longest silence; 0 is off.", ge=0.0, le=3600.0)
    action: Literal["stop", "hold"] = argument(
        "action", "", "stop ends the controller; hold counts the silent one as gone.", "stop"
    )


class Ping(Command):
    """Say that one is still there."""

    word = "PING"
    anyone = True


class Help(Command):
    """List the commands, or explain one."""

    word = "HELP"
    anyone = True
    about: str = argument("word", "", "The command to explain.", "")


class Stop(Command):
    """End gracefully: force targets go to zero, the arm comes to rest, the controller exits."""

    word = "STOP"
    anyone = True


COMMANDS: tuple[type[Command], ...] = (
    SetWrench,
    SetAxes,
    SetSubspace,
    MoveBy,
    MoveTo,
    Jog,
    Home,
    Sinus,
    FollowHand,
    Playback,
    Circle,
    Hold,
    Push,
    SetStiffness,
    SetDamping,
    SetInertia,
    UsePreset,
    Zero,
    Activate,
    Deactivate,
    Reset,
    SetMode,
    SetInteraction,
    SetImpedance,
    PositionMove,
    SetPosition,
    VelocityMove,
    SetTorque,
    SetOutput,
    SetJointSpeed,
    SetJointAcceleration,
    StopJoints,
    Calibrate,
    InjectFault,
    QueryJoints,
    SetParameter,
    GetParameter,
    QueryState,
    Lease,
    SetName,
    Watchdog,
    Ping,
    Help,
    Stop,
)
"""All commands, in the order in which they are explained."""
