"""Minimum-jerk trajectories, in closed form.

With s = t/T, Δ = x_f − x_0 and d = v_0·T:

    x = x_0 + d·s + (10Δ − 6d)·s³ − (15Δ − 8d)·s⁴ + (6Δ − 3d)·s⁵

It starts with the velocity v_0 and ends at rest; the acceleration is zero at both ends. A given
speed is the mean: T = |Δ|/speed. From rest the peak speed is 1.875 times the mean.
"""

from math import sqrt

from pliant.numerics.kernels import kernel
from pliant.numerics.profiles import PEAK_SPEED

# From rest the peak acceleration is this times Δ/T².
_PEAK_ACCELERATION = 10.0 / sqrt(3.0)

_GROWTH = 1.1
_GROWTH_STEPS = 60
_HALVINGS = 40
_SLACK = 1.0 + 1e-9


@kernel
def jerk_position(x0: float, v0: float, xf: float, T: float, t: float) -> float:
    """Position of the trajectory at t."""
    if t >= T:
        return xf
    s, D, d = t / T, xf - x0, v0 * T
    cubic = 10.0 * D - 6.0 * d - s * (15.0 * D - 8.0 * d - s * (6.0 * D - 3.0 * d))
    return x0 + d * s + s * s * s * cubic


@kernel
def jerk_velocity(x0: float, v0: float, xf: float, T: float, t: float) -> float:
    """Velocity of the trajectory at t: (1 − s)²·(d + 2d·s + (30Δ − 15d)·s²)/T."""
    if t >= T:
        return 0.0
    s, D, d = t / T, xf - x0, v0 * T
    rest = 1.0 - s
    return rest * rest * (d + s * (2.0 * d + s * (30.0 * D - 15.0 * d))) / T


@kernel
def _acceleration(D: float, d: float, T: float, s: float) -> float:
    A, B, C = 10.0 * D - 6.0 * d, 15.0 * D - 8.0 * d, 6.0 * D - 3.0 * d
    return s * (6.0 * A - s * (12.0 * B - s * 20.0 * C)) / (T * T)


@kernel
def _within_limits(
    x0: float, v0: float, xf: float, T: float, qd_max: float, qdd_max: float
) -> bool:
    """Whether speed and acceleration stay within their limits throughout."""
    D, d = xf - x0, v0 * T
    A, B, C = 10.0 * D - 6.0 * d, 15.0 * D - 8.0 * d, 6.0 * D - 3.0 * d
    # the speed is largest at the third zero of the acceleration; the others are 0 and 1
    s = 0.3 * A / C if C != 0.0 else 0.0
    if 0.0 < s < 1.0:
        speed = jerk_velocity(x0, v0, xf, T, s * T)
        if abs(speed) > max(qd_max, abs(v0)) * _SLACK:
            return False
    # the acceleration is largest where the jerk, A − 4B·s + 10C·s², is zero
    root = 4.0 * B * B - 10.0 * C * A
    if root < 0.0:
        return True
    root = sqrt(root)
    for sign in (-1.0, 1.0):
        s = (
            (2.0 * B + sign * root) / (10.0 * C)
            if C != 0.0
            else (0.25 * A / B if B != 0.0 else 0.0)
        )
        if 0.0 < s < 1.0 and abs(_acceleration(D, d, T, s)) > qdd_max * _SLACK:
            return False
    return True


@kernel
def detour(x0: float, v0: float, xf: float, T: float) -> float:
    """The extreme position if the trajectory leaves the range from start to end; else the end."""
    D, d = xf - x0, v0 * T
    # the velocity has a double zero at the end, and those of (30Δ − 15d)·s² + 2d·s + d
    a, root = 30.0 * D - 15.0 * d, d * d - d * (30.0 * D - 15.0 * d)
    if a == 0.0 or root < 0.0:
        return xf
    root = sqrt(root)
    for sign in (-1.0, 1.0):
        s = (-d + sign * root) / a
        if 0.0 < s < 1.0:
            return jerk_position(x0, v0, xf, T, s * T)
    return xf


@kernel
def plan_time(
    x0: float,
    v0: float,
    xf: float,
    speed: float,
    q_min: float,
    q_max: float,
    qd_max: float,
    qdd_max: float,
) -> float:
    """Duration of a trajectory: |Δ|/speed, or longer if the limits require it.

    Zero if no trajectory with this initial velocity stays within the limits: the joint must brake
    first.
    """
    D = abs(xf - x0)
    T = D / speed
    if v0 == 0.0:
        return max(T, PEAK_SPEED * D / qd_max, sqrt(_PEAK_ACCELERATION * D / qdd_max))
    # braking alone takes this long
    short = max(T, abs(v0) / qdd_max)
    if T > 0.0 and _within_limits(x0, v0, xf, T, qd_max, qdd_max):
        short = T
    else:
        T = short
        for _ in range(_GROWTH_STEPS):
            if _within_limits(x0, v0, xf, T, qd_max, qdd_max):
                break
            short, T = T, T * _GROWTH
        for _ in range(_HALVINGS):
            middle = 0.5 * (short + T)
            if _within_limits(x0, v0, xf, middle, qd_max, qdd_max):
                T = middle
            else:
                short = middle
    if (
        not _within_limits(x0, v0, xf, T, qd_max, qdd_max)
        or not q_min <= detour(x0, v0, xf, T) <= q_max
    ):
        return 0.0
    return T
