"""The posture: where the joints are drawn to as far as the tool lets them."""

from math import exp

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.errors import ConfigError
from pliant.numerics.kernels import kernel
from pliant.numerics.profiles import SETTLING_2
from pliant.numerics.spatial import Array


def posture_row(
    posture: tuple[float, ...] | None, arm: ArmDescription, name: str
) -> tuple[Array, bool]:
    """A posture as an array, and whether there is one.

    Raises:
        ConfigError: It has not one value per joint, or is beyond a joint's limits.
    """
    if posture is None:
        return np.zeros(arm.n), False
    if len(posture) != arm.n:
        raise ConfigError(f"{name}: give {arm.n} numbers, one per joint, not {len(posture)}")
    for j, (q, low, high) in enumerate(zip(posture, arm.q_min, arm.q_max, strict=True)):
        if not low <= q <= high:
            raise ConfigError(f"{name}: joint {j} is limited to {low:g} to {high:g} rad, not {q:g}")
    return np.array(posture), True


@kernel
def approach(x: float, v: float, goal: float, time: float, dt: float) -> tuple[float, float]:
    """Position and velocity one period on, on the way to a goal without overshoot."""
    rate = SETTLING_2 / time
    r, k = x - goal, v + rate * (x - goal)
    e = exp(-rate * dt)
    here = (r + k * dt) * e
    return goal + here, k * e - rate * here
