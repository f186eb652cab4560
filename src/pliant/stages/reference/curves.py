"""The curves that references are made of, each advanced from where it is by one period.

None of them needs to remember when or where it began: minimum jerk planned anew from any point of
its path for the time that is left gives the same path, and what a new motion differs from the old
one by fades by itself. So a reference can be changed at any time, and its position, velocity and
acceleration go on from where they are.
"""

from math import exp

from pliant.numerics.kernels import kernel

# Times this near, s, are the same.
_ROUNDING = 1e-9


@kernel
def minimum_jerk(x: float) -> tuple[float, float, float]:
    """The smooth rise from 0 at x = 0 to 1 at x = 1, its slope and its curvature."""
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
    """Position, velocity and acceleration after t on the way to rest at a goal.

    The way is the polynomial of least jerk that takes the time left.

    Args:
        x: Position now.
        v: Velocity now.
        a: Acceleration now.
        goal: Where to come to rest.
        left: Time until then.
        t: Time to advance; at or beyond the time left this is rest at the goal.
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
def dying(r: float, v: float, a: float, rate: float, t: float) -> tuple[float, float, float]:
    """What is left after t of a difference with velocity v and acceleration a.

    It dies away by (d/dt + rate)³·r = 0, so even its acceleration has no step.
    """
    k1 = v + rate * r
    k2 = 0.5 * (a + 2.0 * rate * v + rate * rate * r)
    e = exp(-rate * t)
    here, slope = (r + t * (k1 + t * k2)) * e, (k1 + 2.0 * k2 * t) * e
    return here, slope - rate * here, 2.0 * k2 * e - 2.0 * rate * slope + rate * rate * here


@kernel
def coming_to_rest(
    x: float, v: float, a: float, rate: float, t: float
) -> tuple[float, float, float]:
    """Position, velocity and acceleration after t of what brakes by (d/dt + rate)²·v = 0."""
    b = a + rate * v
    far = v / rate + b / (rate * rate)
    e = exp(-rate * t)
    here = (v + b * t) * e
    return x + far - (far + b * t / rate) * e, here, b * e - rate * here
