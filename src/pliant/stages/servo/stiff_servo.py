"""The stiff servo: position control of a torque arm.

    τ = M·(q̈_s + a) + c − τ_load + τ_i,    a = 2·ω·s,    s = q̇_s − q̇ + ω/2·(q_s − q)

Closed loop: with an exact model each joint follows q_s with critically damped dynamics of
bandwidth ω, decoupled from the others, and the load is compensated. q_s is the set point that
safety passed one tick ago, where the joint should be now. The arm itself compensates gravity and
friction. The slow integral τ_i compensates the error of the load estimate, and residual friction.

The arm's torque rate bounds how fast an acceleration can build up and be removed. Where s is too
large to be reduced in time, a grows only with its square root, and ω/2·(q_s − q) likewise with the
square root of the error. A linear spring of this stiffness would oscillate with growing amplitude
after a hit on a heavy joint, or a stop from 0.6 rad/s. Two heavy joints about one axis are light
where they turn against each other, and friction could hold them there: the part of a light joint's
spring that the root cuts off is therefore added to each as a small torque.
"""

from dataclasses import dataclass
from math import isfinite, sqrt

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.numerics.filters import beyond, smoothing
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.profiles import fade
from pliant.numerics.quadratic import SOLVED, STEPS_PER_UNKNOWN, solve_bounded
from pliant.numerics.spatial import Array
from pliant.params import KernelParams
from pliant.reasons import State
from pliant.tick import Tick

_FAULT = State.FAULT.value

# Share of the torque rate that each joint may count on; the others need torque too.
_RATE_SHARE = 0.25
# Time within which an acceleration must build up, s.
_BUILD_TIME = 0.05

# Dead band on the arm's estimate of external torque, N·m. It is subtracted from larger values too:
# compensating more than the change of the load would make a stiff contact oscillate.
_LOAD_DEAD_BAND = 0.4

LOAD_CUTOFF = 5.0
"""Cut-off of the low-pass on the load estimate, Hz."""

# Lowest inertia, kg·m², when two joints move in opposition; each alone may be far heavier.
_OPPOSED_INERTIA = 0.05
# Torque, N·m, that exceeds the friction of every joint.
_ABOVE_FRICTION = 0.8

# Gain of the integral in M·ω³; 2 would be the stability limit of a single joint.
_INTEGRAL = 0.02
# Range of errors, rad, that are integrated: below it friction would make the joint hunt.
_MIN_INTEGRATED = 1e-4
_MAX_INTEGRATED = 1e-2
# Differences of torque below this, N·m, are rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class ServoParams(KernelParams):
    """Parameters of the servo: those of the arm, named as in `ArmDescription`."""

    qdd_max: Array
    tau_rate_max: Array
    servo_bandwidth: Array


def servo_params(arm: ArmDescription) -> np.ndarray:
    """The servo's parameters for an arm, as a row."""
    return ServoParams(
        qdd_max=arm.qdd_max,
        tau_rate_max=arm.tau_rate_max,
        servo_bandwidth=arm.servo_bandwidth,
    ).row()


@kernel
def root_limited(x: float, gain: float, most: float) -> float:
    """gain·x, bounded by √(2·most·|x|): the speed from which `most` can still decelerate."""
    size = min(gain * abs(x), sqrt(2.0 * most * abs(x)))
    return size if x > 0.0 else -size


@kernel
def servo_acceleration(
    prev: Row[Tick], tick: Row[Tick], p: Row[ServoParams], j: int
) -> tuple[float, float]:
    """a of one joint, and the part that the square roots cut off."""
    a, t, w = prev[0], tick[0], p[0].servo_bandwidth[j]
    jerk = _RATE_SHARE * p[0].tau_rate_max[j] / t.M[j, j]
    most = min(p[0].qdd_max[j], _BUILD_TIME * jerk)
    e, ed = a.q_sent[j] - t.q[j], a.qd_limited[j] - t.qd[j]
    acceleration = root_limited(ed + root_limited(e, 0.5 * w, most), 2.0 * w, jerk)
    return acceleration, 2.0 * w * (ed + 0.5 * w * e) - acceleration


@kernel
def filter_load(prev: Row[Tick], tick: Row[Tick]) -> None:
    """Write `tau_servo_load`; also while the servo is inactive, so that the filter has settled."""
    a, t = prev[0], tick[0]
    share = smoothing(LOAD_CUTOFF, t.dt)
    for j in range(t.tau_servo_load.shape[0]):
        felt = beyond(t.tau_ext[j], _LOAD_DEAD_BAND) if isfinite(t.tau_ext[j]) else 0.0
        t.tau_servo_load[j] = a.tau_servo_load[j] + share * (felt - a.tau_servo_load[j])


@kernel
def integrate(prev: Row[Tick], tick: Row[Tick], p: Row[ServoParams], j: int) -> None:
    """Write `tau_integral` of joint j, which is zero when the servo takes over.

    It integrates small errors only, and stops while a limit clips the torque (anti-windup).
    """
    a, t = prev[0], tick[0]
    if a.by_torque[j] != 0:
        return
    w, e = p[0].servo_bandwidth[j], a.q_sent[j] - t.q[j]
    limited = abs(a.tau_requested[j] - a.tau_sent[j]) > _ROUNDING
    gain = _INTEGRAL * w * w * w * min(t.M[j, j], _OPPOSED_INERTIA)
    growth = 0.0 if limited or not _MIN_INTEGRATED < abs(e) < _MAX_INTEGRATED else gain * e * t.dt
    bound = 2.0 * _LOAD_DEAD_BAND
    t.tau_integral[j] = max(-bound, min(bound, a.tau_integral[j] + growth))


@kernel
def servo_torque(prev: Row[Tick], tick: Row[Tick], p: Row[ServoParams], out: Array) -> None:
    """Write the servo's torque of all joints that are driven by position, after `filter_load`.

    Joints driven by torque do not contribute.

    Args:
        prev: The previous tick.
        tick: This tick.
        p: The servo's parameters.
        out: Out: torques, N·m; zero where a joint is driven by torque.
    """
    t = tick[0]
    n = out.shape[0]
    out[:] = 0.0
    for k in range(n):
        if t.by_torque[k] == 0:
            qdd, cut_off = servo_acceleration(prev, tick, p, k)
            qdd += prev[0].qdd_limited[k]
            for j in range(n):
                out[j] += t.M[j, k] * qdd
            out[k] += max(
                -_ABOVE_FRICTION, min(_ABOVE_FRICTION, min(t.M[k, k], _OPPOSED_INERTIA) * cut_off)
            )
    for j in range(n):
        if t.by_torque[j] == 0:
            out[j] += t.c[j] - t.tau_servo_load[j] + t.tau_integral[j]
        else:
            out[j] = 0.0


@kernel
def take_over(
    prev: Row[Tick], tick: Row[Tick], p: Row[ServoParams], j: int, tau: float, fresh: bool
) -> None:
    """Request the torque tau of joint j, without a jump: plus an offset that fades.

    In a fault there is no offset: what drove the joint before must not delay the stop, and the
    torque rate is limited all the same.

    Args:
        prev: The previous tick.
        tick: This tick.
        p: The servo's parameters.
        j: Number of the joint.
        tau: Torque that drives it now, N·m.
        fresh: Whether another source drove the joint in the previous tick.
    """
    a, t = prev[0], tick[0]
    if t.state == _FAULT:
        t.tau_servo_blend[j] = 0.0
    elif fresh:
        t.tau_servo_blend[j] = a.tau_sent[j] - tau
    else:
        t.tau_servo_blend[j] = fade(a.tau_servo_blend[j], p[0].tau_rate_max[j], t.dt)
    t.tau_requested[j] = tau + t.tau_servo_blend[j]


@kernel
def limit_torque_rate(prev: Row[Tick], tick: Row[Tick], p: Row[ServoParams]) -> None:
    """Bring the servo's torques within the arm's torque rate.

    The acceleration of a set point may step, the arm's torque may not. Of all steps within the rate
    this takes the one whose accelerations M⁻¹·Δτ are nearest to the wanted ones, in the norm of M.
    Clipping each joint by itself would change the difference of the torques of two heavy joints
    about one axis, which controls how they turn against each other.
    """
    a, t = prev[0], tick[0]
    n = t.tau_requested.shape[0]
    step, room, late = np.zeros(n), np.zeros(n), False
    for j in range(n):
        if t.by_torque[j] == 0:
            step[j] = t.tau_requested[j] - a.tau_sent[j]
            room[j] = p[0].tau_rate_max[j] * t.dt
            late = late or abs(step[j]) > room[j]
    if not late:
        return
    active, qdd = np.zeros(n), np.zeros(n)
    steps = STEPS_PER_UNKNOWN * n
    # unsolved, each joint is clipped by itself
    if solve_bounded(t.M, -step, t.M, -room, room, steps, active, qdd) == SOLVED:
        for j in range(n):
            step[j] = 0.0
            for k in range(n):
                step[j] += t.M[j, k] * qdd[k]
    for j in range(n):
        if t.by_torque[j] == 0:
            t.tau_requested[j] = a.tau_sent[j] + max(-room[j], min(room[j], step[j]))
