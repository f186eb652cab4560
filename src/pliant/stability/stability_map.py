"""The stability map: what becomes of a contact, over damping and surface stiffness."""

from dataclasses import dataclass
from math import inf

import numpy as np

from pliant.numerics.spatial import Array
from pliant.stability.axis import Axis, Surface
from pliant.stability.margin import gains_for, growth, swing, with_damping

_POINTS = 33
_AROUND = 30.0
"""How far the map reaches to both sides of the present damping, as a factor."""

_BEYOND = 3.0
"""How far it reaches at least beyond the damping that is needed, as a factor."""


@dataclass(frozen=True, kw_only=True)
class StabilityMap:
    """Growth of a disturbance, and swings past the target, over a grid; M/D is the same in all.

    Attributes:
        damping: Of the columns, N·s/m.
        stiffness: Of the rows, N/m.
        growth: One value per row and column, 1/s; above zero contact is unstable.
        swing: One value per row and column; infinite where unstable.
    """

    damping: Array
    stiffness: Array
    growth: Array
    swing: Array


def stability_map(
    axis: Axis, like: Surface, softest: float = 5e2, stiffest: float = 2e5
) -> StabilityMap:
    """Compute the map of an axis.

    Args:
        axis: The axis; the map lies around its damping, and reaches to what would do.
        like: A surface whose mass and damping ratio all have.
        softest: Lower end of the stiffness, N/m.
        stiffest: Upper end.
    """
    present, needed = axis.gains.damping, gains_for(axis, like)
    most = max(_AROUND * present, _BEYOND * needed.damping if needed else 0.0)
    dampings = np.geomspace(present / _AROUND, most, _POINTS)
    surfaces = np.geomspace(softest, stiffest, _POINTS)
    rates = np.empty((_POINTS, _POINTS))
    swings = np.full((_POINTS, _POINTS), inf)
    for j, damping in enumerate(dampings.tolist()):
        changed = with_damping(axis, damping)
        for i, stiffness in enumerate(surfaces.tolist()):
            rates[i, j] = growth(changed, like.scaled(stiffness))
            if rates[i, j] < 0.0:
                swings[i, j] = swing(changed, like.scaled(stiffness))
    return StabilityMap(damping=dampings, stiffness=surfaces, growth=rates, swing=swings)
