"""Limits of joints that are driven by torque.

Only the measured position and velocity of such a joint are known, not its next position. Each joint
therefore has a largest speed in either direction, from which it can stop before its position limit.
Near that speed the driving torque fades out; above it the joint is braked; beyond the position
limit it is pushed back. The limits of torque and torque rate come last.
"""

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.profiles import brake_speed
from pliant.numerics.spatial import Array
from pliant.stages.safety.safety_limits import (
    POSITION,
    TORQUE,
    TORQUE_RATE,
    VELOCITY,
    Limits,
)
from pliant.tick import Tick

# Share of the arm's acceleration limits that braking before a joint limit counts on: the torque
# rate delays the rest.
_BRAKE_SHARE = 0.5
# Share of the speed limit over which the driving torque fades out.
_FADE_SHARE = 0.1
# Rate at which excess speed is reduced, 1/s: a damper scaled by the joint's inertia.
_BRAKE_RATE = 200.0
# Time constant with which a joint beyond its limit returns, s; with the damper it is a spring.
_RETURN_TIME = 0.05
# Distance beyond its limit, rad, at which a joint gives all its torque to return: half the usual
# margin. The spring alone would let a steady push move a light joint through the whole margin.
_ALL_TORQUE_AT = 0.01
# Speed of a set point, rad/s, with which a servo drives a joint in a fault: that of a retreat from
# a contact. At twice that speed the servo only brakes.
_FAULT_SPEED = 0.2
# Differences of torque below this, N·m, are rounding, not clipping.
_ROUNDING = 1e-9


@kernel
def _excess(room: float, qd: float, j: int, limits: Row[Limits], dt: float) -> float:
    """Excess speed of a joint towards a limit at distance `room`; negative if slower."""
    if room < 0.0:
        return qd - room / _RETURN_TIME
    fastest = brake_speed(room, _BRAKE_SHARE * limits[0].qdd_max[j], dt)
    return qd - min(limits[0].qd_max[j], fastest)


@kernel
def _guarded(
    push: float, room: float, qd: float, tick: Row[Tick], limits: Row[Limits], j: int
) -> float:
    """The torque towards a limit at distance `room` that a joint with this speed may have."""
    excess = _excess(room, qd, j, limits, tick[0].dt)
    if excess > 0.0:
        spring = limits[0].tau_max[j] / _ALL_TORQUE_AT * max(0.0, -room)
        return min(push, -_BRAKE_RATE * tick[0].M[j, j] * excess - spring)
    share = max(0.0, 1.0 + excess / (_FADE_SHARE * limits[0].qd_max[j]))
    return push - share * max(0.0, push)


@kernel
def guard_joints(tick: Row[Tick], limits: Row[Limits], tau: Array) -> int:
    """Keep joints driven by torque away from their limits; returns the bits that acted."""
    t, bits = tick[0], 0
    for j in range(tau.shape[0]):
        if t.by_torque[j] == 0:
            continue
        requested = tau[j]
        tau[j] = _guarded(tau[j], limits[0].q_max[j] - t.q[j], t.qd[j], tick, limits, j)
        tau[j] = -_guarded(-tau[j], t.q[j] - limits[0].q_min[j], -t.qd[j], tick, limits, j)
        if abs(tau[j] - requested) > _ROUNDING:
            fast = abs(t.qd[j]) > (1.0 - _FADE_SHARE) * limits[0].qd_max[j]
            bits |= VELOCITY if fast else POSITION
    return bits


@kernel
def brake(tick: Row[Tick], tau: Array) -> None:
    """Write the braking torque of a stop, until a servo takes over in the next tick."""
    t = tick[0]
    for j in range(tau.shape[0]):
        if t.by_torque[j] != 0:
            tau[j] = -_BRAKE_RATE * t.M[j, j] * t.qd[j]


@kernel
def only_brake(tick: Row[Tick], tau: Array) -> None:
    """In a fault, fade out what drives a joint on along a set point that still brakes.

    A contact brakes a joint faster than its set point; the servo would drive it on, into the
    contact.
    """
    t = tick[0]
    for j in range(tau.shape[0]):
        if tau[j] * t.qd[j] > 0.0 and t.qd_limited[j] * t.qd[j] > 0.0:
            tau[j] *= max(0.0, min(1.0, 2.0 - abs(t.qd_limited[j]) / _FAULT_SPEED))


@kernel
def clip_torque(prev: Row[Tick], tick: Row[Tick], limits: Row[Limits], tau: Array) -> int:
    """Write `tau_limited` within torque and torque rate limits; returns the bits that acted."""
    t, bits = tick[0], 0
    for j in range(tau.shape[0]):
        most = limits[0].tau_max[j]
        within = max(-most, min(most, tau[j]))
        if abs(within - tau[j]) > _ROUNDING:
            bits |= TORQUE
        before, step = prev[0].tau_sent[j], limits[0].tau_rate_max[j] * t.dt
        t.tau_limited[j] = max(before - step, min(before + step, within))
        if abs(t.tau_limited[j] - within) > _ROUNDING:
            bits |= TORQUE_RATE
    return bits
