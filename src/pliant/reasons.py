"""Codes in the tick: the state, why a wrench is not trusted, and why an arm stopped.

The codes are constants in `@kernel` functions.
"""

from enum import IntEnum


class State(IntEnum):
    """What the controller is doing, and what moves it from one state to the next.

    INACTIVE ──activate──▶ ACTIVE ──deactivate──▶ STOPPING ──at rest──▶ INACTIVE
        ▲                     │                       │
        └──────reset────── FAULT ◀──────trip──────────┘
    """

    INACTIVE = 0
    """The arm holds; no law is active. The state at start."""
    ACTIVE = 1
    """A law is in charge."""
    STOPPING = 2
    """The law brings force targets to zero and the arm to rest."""
    FAULT = 3
    """The arm was stopped for a reason and holds until it is reset."""


class Verdict(IntEnum):
    """The wrench stage's verdict; a law that needs force runs only on `READY`."""

    READY = 0
    NEVER_ZEROED = 1
    STALE = 2
    NOT_FINITE = 3
    SATURATED = 4
    IMPLAUSIBLE = 5

    @property
    def text(self) -> str:
        """The verdict in words, with the remedy."""
        return _VERDICT_TEXT[self]


_VERDICT_TEXT = {
    Verdict.READY: "ready",
    Verdict.NEVER_ZEROED: "the force sensor was never zeroed: zero it with the tool free",
    Verdict.STALE: "the force sensor sends nothing new: check its connection",
    Verdict.NOT_FINITE: "the force sensor sends values that are not numbers",
    Verdict.SATURATED: "the force sensor is at the end of its range: unload the tool",
    Verdict.IMPLAUSIBLE: "the force at rest is implausibly large: free the tool, zero the sensor, "
    "check the tool's mass",
}


class Reason(IntEnum):
    """Why the arm does not do what was commanded."""

    NONE = 0
    STOP_ASKED = 1
    NOT_FINITE = 2
    CONTACT_FORCE = 3
    WORKSPACE = 4
    TEMPERATURE = 5
    LATE = 6
    ROBOT = 7
    SENSOR_NEVER_ZEROED = 8
    SENSOR_STALE = 9
    SENSOR_NOT_FINITE = 10
    SENSOR_SATURATED = 11
    SENSOR_IMPLAUSIBLE = 12
    EXCEPTION = 13
    CLIENT_GONE = 14
    STDIN_CLOSED = 15
    SIGNAL = 16
    TIME_OVER = 17
    WATCHDOG = 18
    JOINT_POSITION = 19
    JOINT_SPEED = 20
    JOINT_FAULT = 21
    UNGUARDED = 22
    REACTION = 23
    TOOL_SPEED = 24

    @property
    def text(self) -> str:
        """The reason in words."""
        return _REASON_TEXT[self]


SENSOR_REASON_OFFSET = Reason.SENSOR_NEVER_ZEROED - Verdict.NEVER_ZEROED
"""A verdict plus this is the reason for stopping because of it."""

_REASON_TEXT = {
    Reason.NONE: "",
    Reason.STOP_ASKED: "stopped as asked",
    Reason.NOT_FINITE: "a joint position or set point was not a number",
    Reason.CONTACT_FORCE: "contact force or torque over its limit",
    Reason.WORKSPACE: "the tool would leave its workspace",
    Reason.TEMPERATURE: "a joint is too hot",
    Reason.LATE: "the control loop was late",
    Reason.ROBOT: "the arm's own controller stopped it",
    Reason.EXCEPTION: "an error in the control loop",
    Reason.CLIENT_GONE: "the client in control is gone",
    Reason.STDIN_CLOSED: "standard input was closed",
    Reason.SIGNAL: "stopped by a signal",
    Reason.TIME_OVER: "the time is over",
    Reason.WATCHDOG: "the client in control was silent for too long",
    Reason.JOINT_POSITION: "a joint driven by torque passed its position limit",
    Reason.JOINT_SPEED: "a joint driven by torque passed its speed limit",
    Reason.TOOL_SPEED: "the tool of an arm driven by torque was too fast",
    Reason.JOINT_FAULT: "a joint was taken out",
    Reason.UNGUARDED: "the guardian has ended, and a real arm does not run without one",
    Reason.REACTION: "stopped by a reaction",
} | {
    Reason(verdict + SENSOR_REASON_OFFSET): verdict.text
    for verdict in Verdict
    if verdict is not Verdict.READY
}
