"""Control modes of a joint, the modes it reports, and the rules between them, as tables.

A user selects a `JointMode`; the board reports a `ReportedMode`, which includes statuses that
cannot be selected. The tables below contain all rules. The codes are constants in `@kernel`
functions.
"""

from enum import IntEnum

from pliant.errors import UnknownNameError
from pliant.tick import Rows


class JointMode(IntEnum):
    """A control mode that can be selected."""

    IDLE = 0
    """Holds the position last sent and ignores commands."""
    POSITION_DIRECT = 1
    """Follows positions tick by tick, from a law or a stream."""
    TORQUE = 2
    """Gives the torque of a law or a stream."""
    POSITION = 3
    """Goes to a target along a minimum-jerk trajectory."""
    VELOCITY = 4
    """Moves with a streamed velocity."""
    MIXED = 5
    """Follows the sum of a trajectory and a streamed velocity."""
    OPEN_LOOP = 6
    """Gives a streamed share of the motor's full output."""

    @property
    def vocab(self) -> str:
        """YARP's word for it."""
        return VOCABS[ReportedMode(self)]


class ReportedMode(IntEnum):
    """Reported mode of a joint: a control mode, or a status that only the board sets."""

    IDLE = JointMode.IDLE.value
    POSITION_DIRECT = JointMode.POSITION_DIRECT.value
    TORQUE = JointMode.TORQUE.value
    POSITION = JointMode.POSITION.value
    VELOCITY = JointMode.VELOCITY.value
    MIXED = JointMode.MIXED.value
    OPEN_LOOP = JointMode.OPEN_LOOP.value
    HARDWARE_FAULT = 10
    CALIBRATING = 11
    CALIBRATION_DONE = 12
    NOT_CONFIGURED = 13
    CONFIGURED = 14
    UNKNOWN = 15

    @property
    def vocab(self) -> str:
        """YARP's word for it."""
        return VOCABS[self]

    @property
    def title(self) -> str:
        """Its name for users."""
        return self.name.lower().replace("_", " ")

    @property
    def colour(self) -> tuple[int, int, int]:
        """The colour that marks it on a screen: red, green, blue."""
        return _COLOURS.get(self, _STATUS_COLOUR)


FIRST_STATUS = ReportedMode.HARDWARE_FAULT
"""Codes from here on are statuses, those below are modes."""


class Interaction(IntEnum):
    """How a joint reacts to a push."""

    STIFF = 0
    COMPLIANT = 1

    @property
    def vocab(self) -> str:
        """YARP's word for it."""
        return "stif" if self is Interaction.STIFF else "comp"


class JointFault(IntEnum):
    """Fault that disabled a joint."""

    NONE = 0
    OVER_TORQUE = 1
    OVER_TEMPERATURE = 2
    TRACKING = 3
    ENCODER = 4
    HARD_LIMIT = 5
    STALE_COMMAND = 6

    @property
    def text(self) -> str:
        """The fault in words."""
        return _FAULT_TEXT[self]


_FAULT_TEXT = {
    JointFault.NONE: "",
    JointFault.OVER_TORQUE: "too much torque",
    JointFault.OVER_TEMPERATURE: "too hot",
    JointFault.TRACKING: "does not follow its set point",
    JointFault.ENCODER: "the encoder failed",
    JointFault.HARD_LIMIT: "beyond its hard limit",
    JointFault.STALE_COMMAND: "torque or output not renewed in time",
}


def joint_faults(row: Rows) -> str:
    """The joints with a fault, and which."""
    faults = enumerate(row["fault"][0])
    return ", ".join(f"joint {j} {JointFault(int(f)).text}" for j, f in faults if f)


FORCE_IDLE = "force_idle"
FORCE_IDLE_VOCAB = "fidl"
"""A command, not a mode: sets a joint idle, also from a hardware fault."""

VOCABS = {
    ReportedMode.IDLE: "idl",
    ReportedMode.POSITION: "pos",
    ReportedMode.POSITION_DIRECT: "posd",
    ReportedMode.VELOCITY: "vel",
    ReportedMode.MIXED: "mix",
    ReportedMode.TORQUE: "torq",
    ReportedMode.OPEN_LOOP: "ipwm",
    ReportedMode.HARDWARE_FAULT: "hwfa",
    ReportedMode.CALIBRATING: "cal",
    ReportedMode.CALIBRATION_DONE: "cald",
    ReportedMode.NOT_CONFIGURED: "cfgn",
    ReportedMode.CONFIGURED: "cfgy",
    ReportedMode.UNKNOWN: "unkw",
}

_COLOURS = {
    ReportedMode.IDLE: (249, 236, 141),
    ReportedMode.POSITION: (149, 221, 186),
    ReportedMode.POSITION_DIRECT: (119, 206, 111),
    ReportedMode.VELOCITY: (150, 190, 255),
    ReportedMode.MIXED: (150, 205, 220),
    ReportedMode.TORQUE: (219, 166, 171),
    ReportedMode.OPEN_LOOP: (250, 250, 250),
    ReportedMode.HARDWARE_FAULT: (255, 50, 50),
}
"""The colours of YARP's motor user interface."""

_STATUS_COLOUR = (220, 220, 220)

COMMANDS_OF = {
    JointMode.IDLE: frozenset[str](),
    JointMode.POSITION: frozenset({"position_move"}),
    JointMode.POSITION_DIRECT: frozenset({"set_position"}),
    JointMode.VELOCITY: frozenset({"velocity_move"}),
    JointMode.MIXED: frozenset({"position_move", "velocity_move"}),
    JointMode.TORQUE: frozenset({"set_torque"}),
    JointMode.OPEN_LOOP: frozenset({"set_output"}),
}
"""The motion commands that each mode accepts; all others are refused.

The modes are in the order in which a user interface lists them.
"""

_EVERY_MODE = frozenset(JointMode)

SELECTABLE_FROM = {
    reported: _EVERY_MODE if reported < FIRST_STATUS else frozenset[JointMode]()
    for reported in ReportedMode
}
"""The modes that can be selected from each reported mode; from a status, none."""

FORCE_IDLE_FROM = frozenset(
    reported
    for reported in ReportedMode
    if reported < FIRST_STATUS or reported is ReportedMode.HARDWARE_FAULT
)
"""Reported modes in which force idle is accepted; it is the only exit from a fault."""

CALIBRATE_FROM = frozenset(
    {ReportedMode.NOT_CONFIGURED, ReportedMode.CONFIGURED, ReportedMode.IDLE}
)
"""Reported modes in which calibration can start."""

WAY_OUT = {
    ReportedMode.HARDWARE_FAULT: (
        "force it idle first, in Python arm.joints.force_idle() or arm.reset()"
    ),
    ReportedMode.CALIBRATING: "wait until it is calibrated",
    ReportedMode.CALIBRATION_DONE: "wait until it is idle",
    ReportedMode.NOT_CONFIGURED: "calibrate it first",
    ReportedMode.CONFIGURED: "calibrate it first",
    ReportedMode.UNKNOWN: "the arm does not report its state",
}
"""What the user must do to leave a status."""

NEEDS_TORQUE = frozenset({JointMode.TORQUE, JointMode.OPEN_LOOP})
"""The modes that need an arm with a torque interface."""

_MODE_WORDS = {mode.name.lower(): mode.name.lower() for mode in JointMode}
_MODE_WORDS |= {mode.vocab: mode.name.lower() for mode in JointMode}
_MODE_WORDS |= {FORCE_IDLE: FORCE_IDLE, FORCE_IDLE_VOCAB: FORCE_IDLE}
_INTERACTION_WORDS = {mode.name.lower(): mode for mode in Interaction}
_INTERACTION_WORDS |= {mode.vocab: mode for mode in Interaction}


def mode_name(word: object) -> str:
    """The name of a selectable mode, or `force_idle`, from its name, YARP's word or the enum.

    Raises:
        UnknownNameError: There is no such mode; the error lists the valid names.
    """
    if isinstance(word, IntEnum):
        word = word.name
    name = _MODE_WORDS.get(str(word).lower())
    if name is None:
        raise UnknownNameError("control mode", str(word)[:20], list(_MODE_WORDS))
    return name


def interaction_name(word: object) -> str:
    """The name of an interaction mode, from its name, YARP's word or the enum.

    Raises:
        UnknownNameError: There is no such mode; the error lists the valid names.
    """
    if isinstance(word, IntEnum):
        word = word.name
    mode = _INTERACTION_WORDS.get(str(word).lower())
    if mode is None:
        raise UnknownNameError("interaction mode", str(word)[:20], list(_INTERACTION_WORDS))
    return mode.name.lower()


def fault_name(word: object) -> str:
    """The name of a fault that can be injected, or `none`.

    Raises:
        UnknownNameError: There is no such fault; the error lists the valid names.
    """
    if isinstance(word, IntEnum):
        word = word.name
    names = [fault.name.lower() for fault in JointFault if fault is not JointFault.STALE_COMMAND]
    if str(word).lower() not in names:
        raise UnknownNameError("joint fault", str(word)[:20], names)
    return str(word).lower()


def is_available(mode: JointMode, interface: str) -> bool:
    """Whether an arm with this interface can do a mode."""
    return interface == "torque" or mode not in NEEDS_TORQUE
