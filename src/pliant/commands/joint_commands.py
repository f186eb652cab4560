"""Commands to the joints: to one, to some, or to all.

On the wire joints and values are comma-separated lists: `POSITION_MOVE 0,2 0.3,-0.1`,
`SET_MODE all pos`.
"""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field

from pliant.commands.command import Command, argument, plain_value
from pliant.errors import UnknownNameError
from pliant.params import Number
from pliant.stages.joints.joint_modes import FORCE_IDLE, fault_name, interaction_name, mode_name


def _list(value: Any) -> Any:
    """A list from a comma-separated text, or from a single value."""
    value = plain_value(value)
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
"""The joints of a command: all, or some by their numbers."""

Values = Annotated[tuple[Number, ...], _SIZES, BeforeValidator(_list)]
"""One number for each joint, or one for all of them."""

Modes = Annotated[tuple[str, ...], _SIZES, _names(mode_name)]
Interactions = Annotated[tuple[str, ...], _SIZES, _names(interaction_name)]
Faults = Annotated[tuple[str, ...], _SIZES, _names(fault_name)]


class JointCommand(Command):
    """Base of the commands to the joints.

    Attributes:
        name: Its name in the tables of the control modes.
        acts: Whether it moves or switches a joint, which is refused while a law is active.
    """

    name: ClassVar[str]
    acts: ClassVar[bool] = True
    joints: Joints = argument("joints", "", "all, or numbers from 0, comma-separated.")

    @property
    def idles(self) -> bool:
        """Whether it only forces joints idle, which is allowed at any time."""
        return False


class SetMode(JointCommand):
    """Select the control mode of joints, or force them idle, which clears a fault."""

    word = "SET_MODE"
    aliases = ("MODE",)
    name = "set_mode"
    modes: Modes = argument("modes", "", "idle, pos, posd, vel, mix, torq, ipwm, fidl, or in full.")

    @property
    def idles(self) -> bool:
        """Whether it only forces joints idle, which is allowed at any time."""
        return set(self.modes) == {FORCE_IDLE}


class SetInteraction(JointCommand):
    """Make joints stiff or compliant; every mode stores it."""

    word = "SET_INTERACTION"
    aliases = ("INTERACTION",)
    name = "set_interaction"
    acts = False
    interactions: Interactions = argument("interactions", "", "stiff or compliant.")


class SetImpedance(JointCommand):
    """Set the impedance of compliant joints: τ = offset + K·(q_ref − q) − D·q̇."""

    word = "SET_IMPEDANCE"
    aliases = ("IMPEDANCE",)
    name = "set_impedance"
    acts = False
    stiffness: Values = argument("K", "N·m/rad", "Stiffness.")
    damping: Values = argument("D", "N·m·s/rad", "Damping.")
    offset: Values = argument("offset", "N·m", "Torque offset.", (0.0,))


class Motion(JointCommand):
    """Base of the motion commands; the control mode decides which of them a joint obeys."""

    moves = True
    values: Values


class PositionMove(Motion):
    """Send joints to positions along minimum-jerk trajectories."""

    word = "POSITION_MOVE"
    aliases = ("PMOVE",)
    name = "position_move"
    values: Values = argument("positions", "rad", "Targets; clamped to the limits.")


class SetPosition(Motion):
    """Stream positions to joints in position direct mode."""

    word = "SET_POSITION"
    aliases = ("PDIRECT",)
    streams = True
    name = "set_position"
    values: Values = argument("positions", "rad", "Positions; clamped to the limits.")


class VelocityMove(Motion):
    """Stream velocities to joints; without renewal they go to zero."""

    word = "VELOCITY_MOVE"
    aliases = ("VMOVE",)
    streams = True
    name = "velocity_move"
    values: Values = argument("velocities", "rad/s", "Velocities; clamped to the limits.")


class SetTorque(Motion):
    """Stream torques to joints; without renewal the joint faults."""

    word = "SET_TORQUE"
    aliases = ("TORQUE",)
    streams = True
    name = "set_torque"
    values: Values = argument("torques", "N·m", "Torques beside gravity and friction.")


class SetOutput(Motion):
    """Stream motor outputs to joints in open loop; without renewal the joint faults."""

    word = "SET_OUTPUT"
    aliases = ("OUTPUT",)
    streams = True
    name = "set_output"
    values: Values = argument("outputs", "1", "Share of full output, -1 to 1.")


class SetJointSpeed(JointCommand):
    """Set the mean speed of new trajectories."""

    word = "SET_JOINT_SPEED"
    aliases = ("SPEED",)
    name = "set_speed"
    acts = False
    values: Values = argument("speeds", "rad/s", "Speeds from 0; clamped to the limits.")


class SetJointAcceleration(JointCommand):
    """Set the acceleration of velocity ramps."""

    word = "SET_JOINT_ACCELERATION"
    aliases = ("ACCEL",)
    name = "set_acceleration"
    acts = False
    values: Values = argument("accelerations", "rad/s²", "Above 0; clamped to the limits.")


class StopJoints(JointCommand):
    """Bring joints to rest; those in torque or open-loop mode change to position mode to hold."""

    word = "STOP_JOINTS"
    aliases = ("JSTOP",)
    name = "stop"


class Calibrate(JointCommand):
    """Calibrate joints that are idle or not configured."""

    word = "CALIBRATE"
    name = "calibrate"


class InjectFault(JointCommand):
    """Inject a fault into joints, or remove its cause; in simulation only."""

    word = "INJECT_FAULT"
    aliases = ("INJECT",)
    name = "inject_fault"
    acts = False
    faults: Faults = argument(
        "faults", "", "over_torque, over_temperature, tracking, encoder, hard_limit or none."
    )


class QueryJoints(Command):
    """Ask for the modes, references and limits of joints, as JSON."""

    word = "JOINTS"
    asks = True
    anyone = True
    joints: Joints = argument("joints", "", "all, or numbers from 0, comma-separated.", "all")
