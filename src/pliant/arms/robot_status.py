"""Codes of `robot_status`: why an arm does not follow commands, and the way out.

Each vendor has its range; 0 is an arm that follows. The sentences are short: with the reason they
must fit into 120 bytes.
"""

from enum import IntEnum

from pliant.arms.franka_status import FrankaStatus


class UrStatus(IntEnum):
    """Why a UR does not follow."""

    FOLLOWS = 0
    POWER_OFF = 1001
    NOT_READY = 1002
    PROTECTIVE_STOP = 1003
    RECOVERY = 1004
    SAFEGUARD_STOP = 1005
    EMERGENCY_STOP = 1006
    VIOLATION = 1008
    FAULT = 1009
    PROGRAM_STOPPED = 1010
    SLOWED = 1011
    LOCAL_CONTROL = 1012
    OTHER_PROGRAM = 1013

    @property
    def text(self) -> str:
        """What it is, and the way out."""
        return _UR_TEXT[self]


_UR_TEXT = {
    UrStatus.FOLLOWS: "it follows",
    UrStatus.POWER_OFF: "it is switched off; reset switches it on",
    UrStatus.NOT_READY: "its brakes are closed; reset releases them",
    UrStatus.PROTECTIVE_STOP: "protective stop; find out why, then reset",
    UrStatus.RECOVERY: "recovery mode; move it inside its limits at the pendant",
    UrStatus.SAFEGUARD_STOP: "safeguard open; close it, then reset",
    UrStatus.EMERGENCY_STOP: "emergency stop; release the button, then reset",
    UrStatus.VIOLATION: "safety violation; restart safety at the pendant",
    UrStatus.FAULT: "safety fault; restart safety at the pendant",
    UrStatus.PROGRAM_STOPPED: "its program was stopped; reset starts it again",
    UrStatus.SLOWED: "its speed slider is below 100 %; raise it, then reset",
    UrStatus.OTHER_PROGRAM: "another program runs on it; end that one, then reset",
    UrStatus.LOCAL_CONTROL: "remote control is off; switch it on at the pendant, then reset",
}


def status_text(code: int) -> str:
    """A `robot_status` in words."""
    for kind in (UrStatus, FrankaStatus):
        if code in {status.value for status in kind}:
            return kind(code).text
    return f"status {code}; see its pendant"
