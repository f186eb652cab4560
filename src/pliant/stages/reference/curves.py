"""The curves of the references, each advanced by one period from its present state.

No curve stores its start: minimum jerk, planned again from any point of its path for the remaining
time, gives the same path, and the difference between a new motion and the old one decays. A
reference can therefore change at any time, with continuous position, velocity and acceleration.
"""

from math import exp

from pliant.numerics.kernels import kernel

# Tolerance of times, s.
_ROUNDING = 1e-9


@kernel
def minimum_jerk(x: float) -> tuple[float, float, float]:
    """Minimum-jerk rise from 0 at x = 0 to 1 at x = 1, with first and second derivative."""
    if x <= 0.0:
        return 0.0, 0.0, 0.0
    if x >= 1.0:
        return 1.0, 0.0, 0.0
    rise = x * x * x * (10.0 - 15.0 * x + 6.0 * x * x)
    slope = 30.0 * x * x * (1.0 - x) * (1.0 - x)
    return rise, slope, 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x)


@kernel
def go_on(
    x: float, v: float, a: float, goal: float, left: float, t: float
) -> tuple[float, float, float]:
    """Position, velocity and acceleration after t of a minimum-jerk motion to rest at a goal.

    Args:
        x: Position now.
        v: Velocity now.
        a: Acceleration now.
        goal: Position at the end.
        left: Remaining duration.
        t: Time to advance; from the remaining duration on the result is rest at the goal.
    """
    if t > left - _ROUNDING:
        return goal, 0.0, 0.0
    d, T = goal - x, left
    c3 = (20.0 * d - 12.0 * v * T - 3.0 * a * T * T) / (2.0 * T**3)
    c4 = (-30.0 * d + 16.0 * v * T + 3.0 * a * T * T) / (2.0 * T**4)
    c5 = (12.0 * d - 6.0 * v * T - a * T * T) / (2.0 * T**5)
    return (
        x + t * (v + t * (0.5 * a + t * (c3 + t * (c4 + t * c5)))),
        v + t * (a + t * (3.0 * c3 + t * (4.0 * c4 + t * 5.0 * c5))),
        a + t * (6.0 * c3 + t * (12.0 * c4 + t * 20.0 * c5)),
    )


@kernel
def decay(r: float, v: float, a: float, rate: float, t: float) -> tuple[float, float, float]:
    """Decay of a difference r with velocity v and acceleration a over the time t.

    It follows (d/dt + rate)³·r = 0, so its acceleration is continuous.
    """
    k1 = v + rate * r
    k2 = 0.5 * (a + 2.0 * rate * v + rate * rate * r)
    e = exp(-rate * t)
    here, slope = (r + t * (k1 + t * k2)) * e, (k1 + 2.0 * k2 * t) * e
    return here, slope - rate * here, 2.0 * k2 * e - 2.0 * rate * slope + rate * rate * here


@kernel
def brake_to_rest(
    x: float, v: float, a: float, rate: float, t: float
) -> tuple[float, float, float]:
    """Position, velocity and acceleration after t of braking by (d/dt + rate)²·v = 0."""
    b = a + rate * v
    far = v / rate + b / (rate * rate)
    e = exp(-rate * t)
    here = (v + b * t) * e
    return x + far - (far + b * t / rate) * e, here, b * e - rate * here
