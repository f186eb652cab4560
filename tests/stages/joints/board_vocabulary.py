"""The words of the board model: modes, statuses, outcomes, limits and measurements."""

import math
from dataclasses import dataclass
from enum import Enum


class Mode(Enum):
    """Selectable modes, by their words."""

    IDLE = "idl"
    POSITION = "pos"
    POSITION_DIRECT = "posd"
    VELOCITY = "vel"
    MIXED = "mix"
    TORQUE = "torq"
    OUTPUT = "ipwm"


class Status(Enum):
    """Statuses that are only reported, by their words."""

    FAULT = "hwfa"
    CALIBRATING = "cal"
    CALIBRATION_DONE = "cald"
    NOT_CONFIGURED = "cfgn"
    CONFIGURED = "cfgy"
    UNKNOWN = "unkw"


Interaction = Enum("Interaction", {"STIFF": "stif", "COMPLIANT": "comp"})
Fault = Enum(
    "Fault",
    "OVER_TORQUE OVER_TEMPERATURE TRACKING_LOSS ENCODER_FAILURE HARD_LIMIT STALE_COMMAND",
)
Outcome = Enum(
    "Outcome",
    "ACCEPTED NO_SUCH_JOINT REPEATED_JOINT WRONG_LENGTH NOT_AVAILABLE IN_FAULT CAUSE_PRESENT "
    "CALIBRATING NOT_CALIBRATED UNKNOWN_STATUS WRONG_MODE NOT_FINITE OUT_OF_RANGE NO_SPEED",
)
OK = Outcome.ACCEPTED

REFUSAL_BY_STATUS: dict[Mode | Status, Outcome] = {
    Status.FAULT: Outcome.IN_FAULT,
    Status.CALIBRATING: Outcome.CALIBRATING,
    Status.CALIBRATION_DONE: Outcome.CALIBRATING,
    Status.NOT_CONFIGURED: Outcome.NOT_CALIBRATED,
    Status.CONFIGURED: Outcome.NOT_CALIBRATED,
    Status.UNKNOWN: Outcome.UNKNOWN_STATUS,
}
MODES_BY_MOTION = {
    "position_move": {Mode.POSITION, Mode.MIXED},
    "set_position": {Mode.POSITION_DIRECT},
    "velocity_move": {Mode.VELOCITY, Mode.MIXED},
    "set_torque": {Mode.TORQUE},
    "set_output": {Mode.OUTPUT},
}
PUSHING = {Mode.TORQUE, Mode.OUTPUT}
MOVING = set(Mode) - PUSHING - {Mode.IDLE}  # where the interaction mode acts


@dataclass(frozen=True, kw_only=True)
class Spec:
    """Limits of one joint. Without speed limits only the rules of the reference page act."""

    q_min: float  # rad
    q_max: float  # rad
    qd_max: float = math.inf  # rad/s
    qdd_max: float = math.inf  # rad/s²
    tau_max: float = math.inf  # N·m
    output_max: float = 1.0
    stiffness: tuple[float, float] = (0.0, math.inf)  # N·m/rad
    damping: tuple[float, float] = (0.0, math.inf)  # N·m·s/rad
    torque_interface: bool = True
    velocity_timeout: float = 0.2  # s
    torque_timeout: float = 0.2  # s
    calibration_time: float = 1.0  # s


@dataclass(frozen=True)
class Measured:
    """Measurements of one joint: rad, rad/s, N·m."""

    position: float = 0.0
    velocity: float = 0.0
    torque: float = 0.0


@dataclass(frozen=True)
class Impedance:
    """τ = offset + stiffness·(q_ref − q) − damping·q̇, in N·m/rad, N·m·s/rad, N·m."""

    stiffness: float = 0.0
    damping: float = 0.0
    offset: float = 0.0
