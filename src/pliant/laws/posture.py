"""The posture: a configuration that the joints approach in the null space of the tool."""

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
    """A posture as an array, and whether one is configured.

    Raises:
        ConfigError: The posture does not have one value per joint, or exceeds a joint limit.
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
    """Position and velocity after one period of a critically damped approach to a goal."""
    rate = SETTLING_2 / time
    r, k = x - goal, v + rate * (x - goal)
    e = exp(-rate * dt)
    here = (r + k * dt) * e
    return goal + here, k * e - rate * here
