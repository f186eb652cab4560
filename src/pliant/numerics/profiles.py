"""Motion profiles within limits of speed, acceleration and torque rate."""

from math import ceil, isinf, sqrt

from pliant.numerics.kernels import kernel
from pliant.numerics.spatial import Array, norm3

PEAK_SPEED = 1.875
"""Peak over mean speed of a minimum-jerk motion from rest to rest."""

SETTLING_2 = 6.6
"""Time constants after which a critically damped second-order response is within 1 %."""

SETTLING_3 = 8.4
"""Time constants after which a response with three equal poles is within 1 %."""

# Time constant with which the torque of the previous controller fades out, s.
_FADE_TIME = 0.02
# Largest share of the arm's torque-rate limit that this uses; the rest is for the new controller.
_FADE_SHARE = 0.4


@kernel
def brake_speed(distance: float, acceleration: float, dt: float) -> float:
    """The highest speed from which steps of dt can still stop within a distance.

    The speeds v, v − a·dt, v − 2a·dt, … cover n·v·dt − a·dt²·n(n − 1)/2 in n steps. With the
    smallest sufficient n the last step decelerates no harder than the others. An infinite
    acceleration gives distance/dt: the deadbeat step.
    """
    if isinf(acceleration):
        return distance / dt
    step = acceleration * dt
    n = max(1.0, ceil(sqrt(0.25 + 2.0 * distance / (step * dt)) - 0.5))
    return distance / (n * dt) + 0.5 * (n - 1.0) * step


@kernel
def fade(tau: float, rate_max: float, dt: float) -> float:
    """The rest after dt of a torque that fades exponentially, at a share of the torque rate."""
    step = min(abs(tau) / _FADE_TIME, _FADE_SHARE * rate_max) * dt
    return tau - step if tau > 0.0 else tau + step


@kernel
def fade_beside(tau: float, change: float, rate_max: float, dt: float) -> float:
    """The rest after dt of a torque that fades while another torque changes.

    The other torque has the first claim on the arm's torque rate.

    Args:
        tau: The torque that fades, N·m.
        change: Change of the other torque in this period, N·m.
        rate_max: The arm's torque rate limit, N·m/s.
        dt: The period, s.
    """
    room = rate_max * dt
    if tau > 0.0:
        return min(tau, max(fade(tau, rate_max, dt), tau - room - change))
    return max(tau, min(fade(tau, rate_max, dt), tau + room - change))


@kernel
def approach3(x: Array, goal: Array, limit: float, out: Array) -> bool:
    """Move a 3-vector towards its goal by at most `limit`; True if the limit acted."""
    dx, dy, dz = goal[0] - x[0], goal[1] - x[1], goal[2] - x[2]
    distance = sqrt(dx * dx + dy * dy + dz * dz)
    if distance <= limit:
        out[0], out[1], out[2] = goal[0], goal[1], goal[2]
        return False
    s = limit / distance
    out[0], out[1], out[2] = x[0] + s * dx, x[1] + s * dy, x[2] + s * dz
    return True


@kernel
def cap3(v: Array, limit: float) -> bool:
    """Shorten a 3-vector in place to at most `limit`; True if it was longer."""
    length = norm3(v)
    if length <= limit:
        return False
    s = limit / length
    v[0], v[1], v[2] = s * v[0], s * v[1], s * v[2]
    return True


@kernel
def pursue3(e: Array, v_goal: Array, acceleration: float, dt: float, out: Array) -> None:
    """The velocity that closes the error `e` to a goal moving at v_goal, and can brake in time."""
    rx, ry, rz = e[0] - v_goal[0] * dt, e[1] - v_goal[1] * dt, e[2] - v_goal[2] * dt
    gap = sqrt(rx * rx + ry * ry + rz * rz)
    s = brake_speed(gap, acceleration, dt) / gap if gap > 0.0 else 0.0
    out[0], out[1], out[2] = v_goal[0] + s * rx, v_goal[1] + s * ry, v_goal[2] + s * rz
