"""The stiff servo: what makes a torque arm go where it was told to be.

    τ = M·(q̈_s + ω²·(q_s − q) + 2·ω·(q̇_s − q̇) + q̈_i) + c,   dq̈_i/dt = κ·ω³·(q_s − q)

Closed loop each joint follows q_s like a critically damped spring of ω, whatever the others do, as
far as the model is right; the integral holds off what the model does not know. q_s is where safety
let the joint be sent a tick ago, which is where it should be now; q̈_s is what the request adds to
that. Gravity and friction are the arm's own affair.
"""

from pliant.arms.description import ArmDescription
from pliant.kernels import Row, kernel
from pliant.motion import fade
from pliant.params import row_of
from pliant.spatial import Array
from pliant.tick import Tick

# Gain κ of the integral, where 2 would be the limit of stability, and the share of a joint's torque
# beyond which it does not grow.
_INTEGRAL = 0.2
_INTEGRAL_SHARE = 0.5
# Differences of torque below this, N·m, are rounding.
_ROUNDING = 1e-9


class ServoFigures:
    """What the servo knows of the arm."""

    takes_torque: int
    qdd_max: Array
    servo_bandwidth: Array


def servo_figures(arm: ArmDescription) -> Row[ServoFigures]:
    """The row of an arm."""
    return row_of(
        {
            "takes_torque": arm.takes_torque,
            "qdd_max": arm.qdd_max,
            "servo_bandwidth": arm.servo_bandwidth,
        }
    )


@kernel
def set_acceleration(prev: Row[Tick], tick: Row[Tick], qdd_max: float, j: int) -> float:
    """What a joint's request asks for as acceleration, within what safety will let through."""
    a, t = prev[0], tick[0]
    qdd = ((t.q_requested[j] - a.q_sent[j]) / t.dt - a.qd_limited[j]) / t.dt
    return max(-qdd_max, min(qdd_max, qdd))


@kernel
def integrate(
    prev: Row[Tick], tick: Row[Tick], p: Row[ServoFigures], tau_max: float, j: int
) -> None:
    """Write `qdd_integral` of joint j, which begins anew when the servo takes over."""
    a, t = prev[0], tick[0]
    if a.by_torque[j] != 0:
        return
    w, e = p[0].servo_bandwidth[j], a.q_sent[j] - t.q[j]
    t.qdd_integral[j] = a.qdd_integral[j]
    # a joint that is blocked must not push harder and harder, nor one wind up that a limit holds
    blocked = abs(a.tau_sent[j]) > _INTEGRAL_SHARE * tau_max and a.tau_sent[j] * e > 0.0
    limited = abs(a.tau_requested[j] - a.tau_sent[j]) > _ROUNDING
    if not (blocked or limited):
        t.qdd_integral[j] += _INTEGRAL * w * w * w * e * t.dt


@kernel
def servo_torque(prev: Row[Tick], tick: Row[Tick], p: Row[ServoFigures], out: Array) -> None:
    """The servo's torque of all joints that are driven by position, after `q_requested` is known.

    Joints driven by torque are none of its business: theirs stays out of the sum.

    Args:
        prev: The last tick.
        tick: This tick.
        p: The arm's figures.
        out: Out: torques, N·m; zero where a joint is driven by torque.
    """
    a, t = prev[0], tick[0]
    n = out.shape[0]
    out[:] = 0.0
    for k in range(n):
        if t.by_torque[k] != 0:
            continue
        w = p[0].servo_bandwidth[k]
        qdd = set_acceleration(prev, tick, p[0].qdd_max[k], k)
        qdd += w * w * (a.q_sent[k] - t.q[k]) + 2.0 * w * (a.qd_limited[k] - t.qd[k])
        qdd += t.qdd_integral[k]
        for j in range(n):
            out[j] += t.M[j, k] * qdd
    for j in range(n):
        out[j] = 0.0 if t.by_torque[j] != 0 else out[j] + t.c[j]


@kernel
def take_over(prev: Row[Tick], tick: Row[Tick], j: int, tau: float) -> None:
    """Let a servo of torque tau take over joint j from whatever drove it, without a jump."""
    a, t = prev[0], tick[0]
    if a.by_torque[j] != 0:
        t.tau_servo_blend[j] = a.tau_sent[j] - tau
    else:
        t.tau_servo_blend[j] = fade(a.tau_servo_blend[j], t.dt)
    t.tau_requested[j] = tau + t.tau_servo_blend[j]
