"""The commands: what a client may ask of a running arm, declared once.

Each is a frozen model with its word on the wire, and fields that carry token names, units, bounds
and meaning. The line parser, `HELP`, the JSON schema, the documentation page and the client derive
from these classes (`pliant.runtime.protocol`); the supervisor decides on them. What is refused
changes nothing.
"""

from collections.abc import Callable
from math import isfinite
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, Field, field_validator, model_validator

from pliant.arms.tool import Pose
from pliant.errors import UnknownNameError
from pliant.joints.modes import FORCE_IDLE, fault_name, interaction_name, mode_name
from pliant.params import Frame, Params, Positive, Six, SixNonNegative, SixPositive


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _finite(value: Any) -> float:
    number = float(value)
    if not isfinite(number):
        raise ValueError(f"{value} is not a finite number")
    return number


PoseValues = Annotated[Pose, BeforeValidator(_plain)]
Matrix6 = Annotated[tuple[Six, Six, Six, Six, Six, Six], BeforeValidator(_plain)]
Mask = Annotated[tuple[bool, bool, bool, bool, bool, bool], BeforeValidator(_plain)]


def _list(value: Any) -> Any:
    """A list from what stands between commas on the wire, or from a single value."""
    value = _plain(value)
    if isinstance(value, str):
        if "_" in value and any(c.isdigit() for c in value):
            raise ValueError(f"{value[:20]!r} is not a list of numbers")
        return value.split(",")
    return value if isinstance(value, list | tuple) else (value,)


def _joints(value: Any) -> Any:
    return value if value == "all" else _list(value)


def _names(name_of: Callable[[object], str]) -> BeforeValidator:
    def check(value: Any) -> list[str]:
        try:
            return [name_of(word) for word in _list(value)]
        except UnknownNameError as error:
            raise ValueError(str(error)) from None

    return BeforeValidator(check)


_SIZES = Field(min_length=1, max_length=32)
JointNumber = Annotated[int, Field(ge=0, lt=32)]
Joints = Annotated[
    Literal["all"] | Annotated[tuple[JointNumber, ...], _SIZES], BeforeValidator(_joints)
]
"""The joints that a command is for: all, or some by their numbers."""

Values = Annotated[tuple[float, ...], _SIZES, BeforeValidator(_list)]
"""One number for each joint, or one for all of them."""

Modes = Annotated[tuple[str, ...], _SIZES, _names(mode_name)]
Interactions = Annotated[tuple[str, ...], _SIZES, _names(interaction_name)]
Faults = Annotated[tuple[str, ...], _SIZES, _names(fault_name)]

_UNIT_TOLERANCE = 1e-6
_REQUIRED: Any = ...


def argument(tokens: str, unit: str, doc: str, default: Any = _REQUIRED, **bounds: Any) -> Any:
    """A field with the names of its tokens on the wire, its unit and its meaning."""
    extra: dict[str, Any] = {"tokens": tokens, "unit": unit}
    return Field(default, description=doc, json_schema_extra=extra, **bounds)


class Command(Params):
    """Base of all commands.

    Attributes:
        word: How the command begins on the wire.
        anyone: Whether a client that does not hold the lease may give it.
    """

    word: ClassVar[str]
    anyone: ClassVar[bool] = False


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
    pose: PoseValues = argument("x y z rx ry rz", "m, rad", "Position and rotation vector.")


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
        value = _plain(value)
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


class JointCommand(Command):
    """Base of the commands to the joint board: for one joint, some, or all.

    Attributes:
        name: What it is called where modes say which commands they take.
        acts: Whether it moves or switches a joint, which is not done under a law.
    """

    name: ClassVar[str]
    acts: ClassVar[bool] = True
    joints: Joints = argument("joints", "", "all, or numbers from 0 with commas between.")

    @property
    def idles(self) -> bool:
        """Whether it does no more than force joints idle, which can be done at any time."""
        return False


class SetMode(JointCommand):
    """Select the control mode of joints, or force them idle, which clears a fault."""

    word = "MODE"
    name = "set_mode"
    modes: Modes = argument("modes", "", "idle, pos, posd, vel, mix, torq, ipwm, fidl, or in full.")

    @property
    def idles(self) -> bool:
        """Whether it does no more than force joints idle, which can be done at any time."""
        return set(self.modes) == {FORCE_IDLE}


class SetInteraction(JointCommand):
    """Make joints stiff or compliant; stored in every mode."""

    word = "INTERACTION"
    name = "set_interaction"
    acts = False
    interactions: Interactions = argument("interactions", "", "stiff or compliant.")


class SetImpedance(JointCommand):
    """Set how joints give way when compliant: τ = offset + K·(q_ref − q) − D·q̇."""

    word = "IMPEDANCE"
    name = "set_impedance"
    acts = False
    stiffness: Values = argument("K", "N·m/rad", "Stiffness.")
    damping: Values = argument("D", "N·m·s/rad", "Damping.")
    offset: Values = argument("offset", "N·m", "Torque offset.", (0.0,))


class Motion(JointCommand):
    """Base of the commands that a mode takes or does not take."""

    values: Values


class PositionMove(Motion):
    """Send joints to positions along minimum-jerk trajectories."""

    word = "PMOVE"
    name = "position_move"
    values: Values = argument("positions", "rad", "Targets; clamped to the limits.")


class SetPosition(Motion):
    """Stream positions to joints in position direct mode."""

    word = "PDIRECT"
    name = "set_position"
    values: Values = argument("positions", "rad", "Positions; clamped to the limits.")


class VelocityMove(Motion):
    """Stream velocities to joints; not renewed, they go to zero."""

    word = "VMOVE"
    name = "velocity_move"
    values: Values = argument("velocities", "rad/s", "Velocities; clamped to the limits.")


class SetTorque(Motion):
    """Stream torques to joints; not renewed, the joint faults."""

    word = "TORQUE"
    name = "set_torque"
    values: Values = argument("torques", "N·m", "Torques beside gravity and friction.")


class SetOutput(Motion):
    """Stream motor outputs to joints in open loop; not renewed, the joint faults."""

    word = "OUTPUT"
    name = "set_output"
    values: Values = argument("outputs", "1", "Share of full output, -1 to 1.")


class SetJointSpeed(JointCommand):
    """Set the mean speed of the trajectories that begin from now on."""

    word = "SPEED"
    name = "set_speed"
    acts = False
    values: Values = argument("speeds", "rad/s", "Speeds from 0; clamped to the limits.")


class SetJointAcceleration(JointCommand):
    """Set the acceleration with which velocities ramp."""

    word = "ACCEL"
    name = "set_acceleration"
    acts = False
    values: Values = argument("accelerations", "rad/s²", "Above 0; clamped to the limits.")


class StopJoints(JointCommand):
    """Bring joints to rest; their modes stay."""

    word = "JSTOP"
    name = "stop"


class Calibrate(JointCommand):
    """Calibrate joints that are idle or not configured."""

    word = "CALIBRATE"
    name = "calibrate"


class InjectFault(JointCommand):
    """Pretend that joints have a fault, or that its cause is gone; in simulation only."""

    word = "INJECT"
    name = "inject_fault"
    acts = False
    faults: Faults = argument(
        "faults", "", "over_torque, over_temperature, tracking, encoder, hard_limit or none."
    )


class QueryJoints(Command):
    """Ask for the modes, references and limits of joints, as JSON."""

    word = "JOINTS"
    anyone = True
    joints: Joints = argument("joints", "", "all, or numbers from 0 with commas between.", "all")


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


class Watchdog(Command):
    """Make silence a STOP: any line from whoever is in control feeds it."""

    word = "WATCHDOG"
    seconds: float = argument("seconds", "s", "Longest silence; 0 is off.", ge=0.0, le=3600.0)


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
    Watchdog,
    Ping,
    Help,
    Stop,
)
"""All commands, in the order in which they are explained."""
