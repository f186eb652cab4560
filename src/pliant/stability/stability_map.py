"""The stability map: behaviour of a contact over damping and surface stiffness."""

from dataclasses import dataclass, replace
from math import inf

import numpy as np

from pliant.numerics.spatial import Array
from pliant.stability.axis import Axis, Surface
from pliant.stability.margin import gains_for, growth, total_overshoot, with_damping

_POINTS = 33
_RANGE = 30.0
"""The map extends from the present damping divided by this factor to the damping times it."""

_MIN_HEADROOM = 3.0
"""The map extends at least to the required damping times this factor."""


@dataclass(frozen=True, kw_only=True)
class StabilityMap:
    """Growth rate and total overshoot over a grid of damping and stiffness, with M/D constant.

    Attributes:
        damping: Damping of each column, N·s/m.
        stiffness: Surface stiffness of each row, N/m.
        growth: Growth rate of a disturbance, 1/s; contact is unstable where it is positive.
        overshoot: Total overshoot; infinite where contact is unstable.
    """

    damping: Array
    stiffness: Array
    growth: Array
    overshoot: Array


def stability_map(
    axis: Axis, like: Surface, softest: float = 5e2, stiffest: float = 2e5
) -> StabilityMap:
    """Compute the map of an axis.

    Args:
        axis: The axis; the map covers its damping and the damping required for the surface.
        like: A surface with the mass and damping ratio of all surfaces in the map.
        softest: Lower end of the stiffness range, N/m.
        stiffest: Upper end.
    """
    axis = replace(axis.on(like), adaptive=False)
    present, needed = axis.gains.damping, gains_for(axis, like)
    highest = max(_RANGE * present, _MIN_HEADROOM * needed.damping if needed else 0.0)
    dampings = np.geomspace(present / _RANGE, highest, _POINTS)
    surfaces = np.geomspace(softest, stiffest, _POINTS)
    rates = np.empty((_POINTS, _POINTS))
    overshoots = np.full((_POINTS, _POINTS), inf)
    for j, damping in enumerate(dampings.tolist()):
        changed = with_damping(axis, damping)
        for i, stiffness in enumerate(surfaces.tolist()):
            rates[i, j] = growth(changed, like.scaled(stiffness))
            if rates[i, j] < 0.0:
                overshoots[i, j] = total_overshoot(changed, like.scaled(stiffness))
    return StabilityMap(damping=dampings, stiffness=surfaces, growth=rates, overshoot=overshoots)
