"""Torques of the joints of a torque arm: streamed, compliant, or those of the stiff servo.

A compliant joint is a spring and a damper about the reference of its mode; the arm itself
compensates gravity and friction:

    τ = τ_offset + K·(q_board − q) − D·q̇

With the inertia I the joint has the natural frequency √(K/I) and the damping ratio D/(2·√(K·I)),
and a torque τ_e deflects it by τ_e/K. When the source of a joint's torque changes, the torque
starts at the one last sent and fades to the new one.
"""

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.stages.joints.joint_limits import JointLimits
from pliant.stages.joints.joint_modes import Interaction, JointMode
from pliant.stages.joints.servo import (
    ServoParams,
    filter_load,
    integrate,
    limit_torque_rate,
    servo_torque,
    take_over,
)
from pliant.tick import Tick

_TORQUE = JointMode.TORQUE.value
_OPEN_LOOP = JointMode.OPEN_LOOP.value
_COMPLIANT = Interaction.COMPLIANT.value


@kernel
def drive_by_torque(
    prev: Row[Tick], tick: Row[Tick], limits: Row[JointLimits], j: int, entering: bool
) -> None:
    """Write `tau_board` and `streaming`: the commanded torque of a joint.

    Until the first command after a switch of mode it is the torque last sent, in open loop zero.
    """
    a, t = prev[0], tick[0]
    t.tau_board[j], t.streaming[j] = a.tau_board[j], a.streaming[j]
    if entering or t.stop_seq[j] != a.stop_seq[j]:
        t.tau_board[j] = a.tau_sent[j] if t.mode[j] == _TORQUE else 0.0
        t.streaming[j] = 0
    if t.stream_seq[j] != a.stream_seq[j]:
        output = t.output_goal[j] * limits[0].tau_max[j]
        t.tau_board[j] = t.tau_goal[j] if t.mode[j] == _TORQUE else output
        t.streaming[j] = 1


@kernel
def is_compliant(tick: Row[Tick], j: int) -> bool:
    """Whether a joint is compliant about its position reference."""
    return tick[0].interaction[j] == _COMPLIANT and tick[0].law < 0


@kernel
def _comply(prev: Row[Tick], tick: Row[Tick], servo: Row[ServoParams], j: int) -> None:
    """Write the torque of a compliant joint."""
    a, t = prev[0], tick[0]
    tau = t.tau_offset[j] + t.K_joint[j] * (t.q_board[j] - t.q[j]) - t.D_joint[j] * t.qd[j]
    fresh = a.mode[j] != t.mode[j] or a.interaction[j] != t.interaction[j]
    take_over(prev, tick, servo, j, tau, fresh)


@kernel
def joint_torques(prev: Row[Tick], tick: Row[Tick], servo: Row[ServoParams]) -> None:
    """Write the requested torques of all joints, after their modes and positions."""
    a, t = prev[0], tick[0]
    n = t.tau_requested.shape[0]
    t.tau_servo_load[:] = 0.0
    t.tau_servo_blend[:] = 0.0
    t.tau_requested[:] = 0.0
    t.tau_integral[:] = 0.0
    if servo[0].takes_torque == 0:
        return
    tau = np.empty(n)
    filter_load(prev, tick)
    for j in range(n):
        if t.by_torque[j] == 0:
            integrate(prev, tick, servo, j)
    servo_torque(prev, tick, servo, tau)
    for j in range(n):
        if t.by_torque[j] == 0:
            take_over(prev, tick, servo, j, tau[j], a.by_torque[j] != 0)
        elif t.mode[j] == _TORQUE or t.mode[j] == _OPEN_LOOP:
            t.tau_requested[j] = t.tau_law[j] if t.law >= 0 else t.tau_board[j]
        else:
            _comply(prev, tick, servo, j)
    limit_torque_rate(prev, tick, servo)
