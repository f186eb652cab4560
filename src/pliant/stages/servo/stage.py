"""The servo stage: joint torques of a torque arm, by the mode of each joint.

The torque of a joint is streamed, or its servo is compliant or stiff. A compliant joint is a spring
and a damper about its position reference q_board; the arm itself compensates gravity and friction:

    τ = τ_offset + K·(q_board − q) − D·q̇

With the inertia I the joint has the natural frequency √(K/I) and the damping ratio D/(2·√(K·I)),
and a torque τ_e deflects it by τ_e/K. When something else takes
over a joint, its torque starts at the value last sent and fades to the new one.
"""

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.stages.joints import JointMode
from pliant.stages.servo.stiff_servo import (
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


@kernel
def _comply(prev: Row[Tick], tick: Row[Tick], p: Row[ServoParams], j: int) -> None:
    """Write the torque of a compliant joint."""
    a, t = prev[0], tick[0]
    tau = t.tau_offset[j] + t.K_joint[j] * (t.q_board[j] - t.q[j]) - t.D_joint[j] * t.qd[j]
    fresh = a.mode[j] != t.mode[j] or a.interaction[j] != t.interaction[j]
    take_over(prev, tick, p, j, tau, fresh)


@kernel
def servo_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[ServoParams]) -> None:
    """Write all servo columns of one tick."""
    a, t = prev[0], tick[0]
    n = t.tau_requested.shape[0]
    t.tau_servo_load[:] = 0.0
    t.tau_servo_blend[:] = 0.0
    t.tau_requested[:] = 0.0
    t.tau_integral[:] = 0.0
    tau = np.empty(n)
    filter_load(prev, tick)
    for j in range(n):
        if t.by_torque[j] == 0:
            integrate(prev, tick, p, j)
    servo_torque(prev, tick, p, tau)
    for j in range(n):
        if t.by_torque[j] == 0:
            take_over(prev, tick, p, j, tau[j], a.by_torque[j] != 0)
        elif t.mode[j] == _TORQUE or t.mode[j] == _OPEN_LOOP:
            t.tau_requested[j] = t.tau_law[j] if t.law >= 0 else t.tau_board[j]
        else:
            _comply(prev, tick, p, j)
    limit_torque_rate(prev, tick, p)
