"""Robot and safety modes of the virtual controller, with the codes that RTDE has for them."""

from enum import IntEnum


class RobotMode(IntEnum):
    """RTDE `robot_mode`."""

    NO_CONTROLLER = -1
    POWER_OFF = 3
    POWER_ON = 4
    IDLE = 5
    BACKDRIVE = 6
    RUNNING = 7


class SafetyMode(IntEnum):
    """RTDE `safety_mode`."""

    NORMAL = 1
    REDUCED = 2
    PROTECTIVE_STOP = 3
    RECOVERY = 4
    SAFEGUARD_STOP = 5
    SYSTEM_EMERGENCY_STOP = 6
    ROBOT_EMERGENCY_STOP = 7
    VIOLATION = 8
    FAULT = 9


class RuntimeState(IntEnum):
    """RTDE `runtime_state`: what the program does."""

    STOPPING = 0
    STOPPED = 1
    PLAYING = 2
    PAUSING = 3
    PAUSED = 4
    RESUMING = 5


_BIT = {mode: mode.value - 1 for mode in SafetyMode}
_EMERGENCY_BIT, _STOPPED_BIT = 7, 10
_EMERGENCY = (SafetyMode.SYSTEM_EMERGENCY_STOP, SafetyMode.ROBOT_EMERGENCY_STOP)
_SHIFTED = {SafetyMode.VIOLATION: 8, SafetyMode.FAULT: 9}

STOPPED = (
    SafetyMode.PROTECTIVE_STOP,
    SafetyMode.RECOVERY,
    SafetyMode.SAFEGUARD_STOP,
    *_EMERGENCY,
    SafetyMode.VIOLATION,
    SafetyMode.FAULT,
)
"""The modes in which the arm does not move."""


def safety_bits(mode: SafetyMode) -> int:
    """RTDE `safety_status_bits`."""
    bits = 1 << _SHIFTED.get(mode, _BIT[mode])
    if mode in _EMERGENCY:
        bits |= 1 << _EMERGENCY_BIT
    return bits | (1 << _STOPPED_BIT) if mode in STOPPED else bits
