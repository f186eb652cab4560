"""Keeps the joints of a torque arm below their speed limits, whatever drives or pushes them.

The arm's torque rate r bounds how fast an acceleration can be taken back. If all joints do so
together, the jerk of joint i is j = r/Σₖ|Mᵢₖ|, and the acceleration a takes a²/(2·j) of speed until
it is gone: with 80 N·m on two joints of a Panda several rad/s. So the allowed acceleration depends
on the distance m to the speed limit, a ≤ √(2·j·m), and a joint beyond the limit is braked by the
same curve. The torque that gives it follows from the torque last sent, the acceleration measured
since, which contains every push, and the inertia I that the joint's torque alone moves:

    τ ≤ τ_sent + γ·I·(a_allowed − q̈)

A push that the joint's torque can hold, but that comes faster than the torque rate can follow,
exceeds the limit by up to τ²/(2·r·I). A push beyond the joint's torque cannot be held at all.
"""

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.linalg import cholesky, cholesky_solve
from pliant.numerics.profiles import brake_speed
from pliant.numerics.spatial import Array
from pliant.stages.safety.safety_limits import VELOCITY, Limits
from pliant.tick import Tick

# Share of the torque rate that a joint counts on: driven by torque, all joints together; driven by
# its servo, by itself, because the servo coordinates the torques already.
_RATE_SHARE = 0.8
_SERVO_RATE_SHARE = 0.5
# γ: with an inertia that is wrong by a factor of two, the joint still does not oscillate.
_GAIN = 0.5
# Share of the arm's own speed limit that no joint should pass.
_SPEED_SHARE = 0.95
# If no joint reaches this share of its limit within this time, s, none needs a guard. If one does,
# each joint that moves is guarded in the direction of its motion, because they drive each other.
_NEAR = 0.5
_HORIZON = 0.03
_MOVING = 0.1


@kernel
def highest_speed(tick: Row[Tick], limits: Row[Limits], j: int) -> float:
    """The speed limit of a joint; set points of a joint driven by position have theirs already."""
    hardest = _SPEED_SHARE * limits[0].qd_hardest[j]
    if tick[0].by_torque[j] == 0:
        return max(limits[0].qd_max[j], hardest)
    return min(limits[0].qd_max[j], hardest)


@kernel
def _share(prev: Row[Tick], tick: Row[Tick], limits: Row[Limits], j: int) -> float:
    """The share of its speed limit, with sign, that a joint reaches soon if it goes on as now."""
    a, t = prev[0], tick[0]
    soon = t.qd[j] + (t.qd[j] - a.qd[j]) / t.dt * _HORIZON
    return max(abs(t.qd[j]), abs(soon)) * np.sign(soon) / highest_speed(tick, limits, j)


@kernel
def _any_near(prev: Row[Tick], tick: Row[Tick], limits: Row[Limits]) -> bool:
    """Whether any joint comes near its speed limit soon."""
    for j in range(tick[0].qd.shape[0]):
        if abs(_share(prev, tick, limits, j)) > _NEAR:
            return True
    return False


@kernel
def _inertias(M: Array, out: Array) -> None:
    """Write the inertia that each joint's torque alone moves, 1/(M⁻¹)_jj."""
    n = out.shape[0]
    L, column = M.copy(), np.empty(n)
    cholesky(L)
    for j in range(n):
        column[:] = 0.0
        column[j] = 1.0
        cholesky_solve(L, column)
        out[j] = 1.0 / column[j]


@kernel
def _jerk(tick: Row[Tick], limits: Row[Limits], j: int, alone: float) -> float:
    """The jerk with which a joint's acceleration is taken back; alone it moves this inertia."""
    if tick[0].by_torque[j] == 0:
        return _SERVO_RATE_SHARE * limits[0].tau_rate_max[j] / alone
    inertia = 0.0
    for k in range(tick[0].M.shape[1]):
        inertia += abs(tick[0].M[j, k])
    return _RATE_SHARE * limits[0].tau_rate_max[j] / inertia


@kernel
def _allowed(distance: float, jerk: float, dt: float) -> float:
    """The acceleration towards a speed limit at this distance; negative beyond it."""
    if distance < 0.0:
        return -brake_speed(-distance, jerk, dt)
    return brake_speed(distance, jerk, dt)


@kernel
def guard_speed(prev: Row[Tick], tick: Row[Tick], limits: Row[Limits], tau: Array) -> int:
    """Bound the torques so that no joint passes its speed limit; returns the bits that acted."""
    a, t, bits = prev[0], tick[0], 0
    if not _any_near(prev, tick, limits):
        return 0
    inertia = np.empty(tau.shape[0])
    _inertias(t.M, inertia)
    for j in range(tau.shape[0]):
        share = _share(prev, tick, limits, j)
        most = highest_speed(tick, limits, j)
        jerk = _jerk(tick, limits, j, inertia[j])
        qdd = (t.qd[j] - a.qd[j]) / t.dt
        up = _allowed(most - t.qd[j], jerk, t.dt)
        down = _allowed(most + t.qd[j], jerk, t.dt)
        high = a.tau_sent[j] + _GAIN * inertia[j] * (up - qdd)
        low = a.tau_sent[j] - _GAIN * inertia[j] * (down + qdd)
        if share > _MOVING and tau[j] > high:
            bits = VELOCITY
            tau[j] = high
        elif share < -_MOVING and tau[j] < low:
            bits = VELOCITY
            tau[j] = low
    return bits
