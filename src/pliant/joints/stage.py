"""The joint board: one control mode per joint."""

from enum import IntEnum

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.joints.servo import ServoFigures, feel_load, servo_figures, servo_torque, take_over
from pliant.kernels import Row, kernel
from pliant.motion import brake_speed
from pliant.reasons import Reason
from pliant.tick import Rows, Tick


class JointMode(IntEnum):
    """What a joint does with its set point."""

    IDLE = 0
    """Stays where it was last sent, whatever is asked."""
    POSITION_DIRECT = 1
    """Goes where the law says, tick by tick."""
    TORQUE = 2
    """Exerts the torque that the law says; of torque arms only."""


_TORQUE = JointMode.TORQUE.value
_POSITION_DIRECT = JointMode.POSITION_DIRECT.value
_CONTACT_FORCE = Reason.CONTACT_FORCE.value

# How an idle joint goes back after a contact stop, rad/s and rad/s².
_RETURN_SPEED = 0.2
_RETURN_ACCELERATION = 5.0


class JointsStage:
    """Turns set points into requests, each joint according to its mode.

    An idle joint stays where it was last sent. Only after a contact stop that would mean to press
    on: the set points lead the arm by its lag, into whatever it touched. Then it goes back to where
    it was measured when the stop was tripped. On a torque arm a stiff servo does what the requested
    positions say.
    """

    def __init__(self, arm: ArmDescription) -> None:
        self._figures = servo_figures(arm)

    def update(self, prev: Rows, tick: Rows) -> None:
        """Write the joint columns of this tick."""
        joints_kernel(prev, tick, self._figures)


@kernel
def joints_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[ServoFigures]) -> None:
    """All joint columns of one tick."""
    a, t = prev[0], tick[0]
    pressed = t.law < 0 and t.reason == _CONTACT_FORCE
    n = t.mode.shape[0]
    for j in range(n):
        t.mode[j] = t.mode_wanted[j]
        t.by_torque[j] = 1 if t.mode[j] == _TORQUE else 0
        t.q_hold[j] = t.q[j]
        if t.mode[j] == _POSITION_DIRECT:
            t.q_requested[j] = t.q_set[j]
        elif t.mode[j] == _TORQUE:
            t.q_requested[j] = t.q[j]
        elif pressed:
            t.q_hold[j] = a.q_hold[j]
            gap = t.q_hold[j] - a.q_sent[j]
            speed = min(_RETURN_SPEED, brake_speed(abs(gap), _RETURN_ACCELERATION, t.dt))
            t.q_requested[j] = a.q_sent[j] + (speed if gap > 0.0 else -speed) * t.dt
        else:
            t.q_requested[j] = a.q_sent[j]
    t.tau_servo_load[:] = 0.0
    t.tau_servo_blend[:] = 0.0
    t.tau_requested[:] = 0.0
    if p[0].takes_torque == 0:
        return
    tau = np.empty(n)
    feel_load(prev, tick)
    servo_torque(prev, tick, p, tau)
    for j in range(n):
        if t.by_torque[j] != 0:
            t.tau_requested[j] = t.tau_law[j]
        else:
            take_over(prev, tick, p, j, tau[j])
