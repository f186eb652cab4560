"""The Franka Control Interface, version 10, on the wire. Everything is little-endian and packed.

Commands go over TCP: a header of command, number and size (itself included), then a body; the
answer has the same header and begins with a status. States go to the client over UDP every
millisecond, and it answers each with a command for the next one.
"""

from enum import IntEnum
from struct import Struct

import numpy as np

VERSION = 10
PORT = 1337
HEADER = Struct("<III")
CONNECT = Struct("<HH")
CONNECTED = Struct("<BH")
MOVE = Struct("<II6d?7d")


class Command(IntEnum):
    """What a client asks for over TCP."""

    CONNECT = 0
    MOVE = 1
    STOP_MOVE = 2
    SET_COLLISION_BEHAVIOR = 3
    SET_JOINT_IMPEDANCE = 4
    SET_CARTESIAN_IMPEDANCE = 5
    SET_GUIDING_MODE = 6
    SET_EE_TO_K = 7
    SET_NE_TO_EE = 8
    SET_LOAD = 9
    AUTOMATIC_ERROR_RECOVERY = 10
    GET_ROBOT_MODEL = 11


class Status(IntEnum):
    """How a command other than a motion ended."""

    SUCCESS = 0
    NOT_POSSIBLE = 1
    INVALID_ARGUMENT = 2


class MoveStatus(IntEnum):
    """How a motion began or ended."""

    SUCCESS = 0
    STARTED = 1
    PREEMPTED = 2
    NOT_POSSIBLE = 5
    INVALID_ARGUMENT = 7
    REFLEX_ABORTED = 8
    EMERGENCY_ABORTED = 9
    ABORTED = 11


class RobotMode(IntEnum):
    """What the arm does."""

    OTHER = 0
    IDLE = 1
    MOVE = 2
    GUIDING = 3
    REFLEX = 4
    USER_STOPPED = 5
    AUTOMATIC_ERROR_RECOVERY = 6


class Controller(IntEnum):
    """Whose torques move the joints, as in a state; a request for a motion has the first three."""

    JOINT_IMPEDANCE = 0
    CARTESIAN_IMPEDANCE = 1
    EXTERNAL = 2
    OTHER = 3


class Generator(IntEnum):
    """What the client's commands say, as in a state; a request has one less."""

    IDLE = 0
    JOINT_POSITION = 1
    JOINT_VELOCITY = 2
    CARTESIAN_POSE = 3
    CARTESIAN_VELOCITY = 4
    NONE = 5


FLOATS = {
    "O_T_EE": 16,
    "O_T_EE_d": 16,
    "F_T_EE": 16,
    "EE_T_K": 16,
    "F_T_NE": 16,
    "NE_T_EE": 16,
    "m_ee": 1,
    "I_ee": 9,
    "F_x_Cee": 3,
    "m_load": 1,
    "I_load": 9,
    "F_x_Cload": 3,
    "elbow": 2,
    "elbow_d": 2,
    "tau_J": 7,
    "tau_J_d": 7,
    "dtau_J": 7,
    "q": 7,
    "q_d": 7,
    "dq": 7,
    "dq_d": 7,
    "ddq_d": 7,
    "joint_contact": 7,
    "cartesian_contact": 6,
    "joint_collision": 7,
    "cartesian_collision": 6,
    "tau_ext_hat_filtered": 7,
    "O_F_ext_hat_K": 6,
    "K_F_ext_hat_K": 6,
    "O_dP_EE_d": 6,
    "O_ddP_O": 3,
    "elbow_c": 2,
    "delbow_c": 2,
    "ddelbow_c": 2,
    "O_T_EE_c": 16,
    "O_dP_EE_c": 6,
    "O_ddP_EE_c": 6,
    "theta": 7,
    "dtheta": 7,
    "accelerometer_top": 18,
    "accelerometer_bottom": 18,
}
"""The quantities of a state, in their order, as float32; matrices are column-major."""

ERRORS = 41
"""Number of error flags in a state."""

STATE = np.dtype(
    [
        ("message_id", "<u8"),
        *((name, "<f4", (size,)) for name, size in FLOATS.items()),
        ("generator", "u1"),
        ("controller", "u1"),
        ("errors", "u1", (ERRORS,)),
        ("reflex_reason", "u1", (ERRORS,)),
        ("robot_mode", "u1"),
        ("success_rate", "<f4"),
    ]
)
"""A state: what the arm sends every millisecond."""


def reply(command: int, number: int, body: bytes) -> bytes:
    """The bytes of an answer to a command."""
    return HEADER.pack(command, number, HEADER.size + len(body)) + body
