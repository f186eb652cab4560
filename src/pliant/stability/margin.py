"""How stiff a surface may be: stable, and well damped, by the eigenvalues and the step response."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from math import inf, log, sqrt

import numpy as np

from pliant.numerics.spatial import Array
from pliant.stability.axis import Axis, Gains, Surface
from pliant.stability.contact_loop import closed_loop

SWING = 0.2
"""Up to this much going past the target and back, as a share of a step, is well damped.

All swings past the target added up: 0.2 is what a damping ratio of a half gives.
"""

_SOFTEST, _STIFFEST = 1e-4, 1e2
"""Surfaces that are looked at, as shares of the arm's own stiffness."""

_LEAST_DAMPING, _MOST_DAMPING = 0.02, 500.0
"""Damping that is looked at, as shares of the present one."""

_LONGEST_RATIO = 0.0125
"""M/D of advised gains at most, s: that of the default."""

_SETTLES = 2.3
_LONGEST_SETTLING = 1.0
"""A force settles after so many D/k, and advised gains let it take no longer than this, s."""

_POINTS = 25
_HALVINGS = 8
_BLOCK = 32
_LONGEST = 20.0
_DECAYED = 5.0


class Contact(Enum):
    """What becomes of a contact."""

    UNSTABLE = "unstable"
    RINGS = "rings"
    WELL_DAMPED = "well damped"


@dataclass(frozen=True, kw_only=True)
class Margin:
    """What an axis can touch.

    Attributes:
        stable: The largest stiffness of a surface at which contact is stable, N/m; infinite if
            the arm itself gives way enough for any.
        well_damped: The same for a contact that settles without ringing.
    """

    stable: float
    well_damped: float


def growth(axis: Axis, surface: Surface) -> float:
    """How fast the slowest part of a disturbance grows, 1/s; below zero it dies away."""
    A, _, _ = closed_loop(axis, surface)
    return log(_radius(A)) / axis.dt


def judge(axis: Axis, surface: Surface) -> Contact:
    """Whether a contact is stable, and settles without ringing."""
    if growth(axis, surface) >= 0.0:
        return Contact.UNSTABLE
    return Contact.WELL_DAMPED if swing(axis, surface) <= SWING else Contact.RINGS


def swing(axis: Axis, surface: Surface) -> float:
    """How far a step of the force goes past its target, all swings added up, as a share of it.

    Infinite where the contact is unstable.
    """
    A, b, c = closed_loop(axis, surface)
    radius = _radius(A)
    if radius >= 1.0:
        return inf
    ticks = min(_DECAYED / -log(radius), _LONGEST / axis.dt)
    way = np.abs(np.diff(_step_response(A, b, c, int(ticks)), prepend=0.0, append=1.0)).sum()
    # each swing goes there and back, beyond the way from 0 to 1
    return 0.5 * (float(way) - 1.0)


def margin(axis: Axis, like: Surface | None = None) -> Margin:
    """The stiffest surfaces that an axis can touch.

    Args:
        axis: The axis.
        like: A surface whose mass and damping ratio they have; neither if None.
    """
    surface = like or Surface(stiffness=1.0)
    return Margin(
        stable=_limit(axis, surface, lambda s: growth(axis, s) < 0.0),
        well_damped=_limit(axis, surface, lambda s: swing(axis, s) <= SWING),
    )


def gains_for(axis: Axis, surface: Surface) -> Gains | None:
    """The least damping, and its inertia, with which a contact is well damped; None if none is.

    M/D stays as it is, unless that is long: inertia only swings then. A damping with which the
    force would take longer than a second to settle is none.
    """
    nimble = min(axis.gains.inertia, _LONGEST_RATIO * axis.gains.damping)
    axis = replace(axis, gains=replace(axis.gains, inertia=nimble))
    low, high = (share * axis.gains.damping for share in (_LEAST_DAMPING, _MOST_DAMPING))
    if swing(with_damping(axis, high), surface) > SWING:
        return None
    while high / low > 1.02:
        middle = sqrt(low * high)
        damped = swing(with_damping(axis, middle), surface) <= SWING
        low, high = (low, middle) if damped else (middle, high)
    give = 1.0 / surface.stiffness + 1.0 / axis.arm.touching(surface).stiffness
    return with_damping(axis, high).gains if _SETTLES * high * give <= _LONGEST_SETTLING else None


def with_damping(axis: Axis, damping: float) -> Axis:
    """The axis with another damping and as much more inertia, so that M/D stays."""
    inertia = axis.gains.inertia * damping / axis.gains.damping
    return replace(axis, gains=replace(axis.gains, damping=damping, inertia=inertia))


def _limit(axis: Axis, like: Surface, holds: Callable[[Surface], bool]) -> float:
    """The stiffness up to which something holds, from the softest surface on."""
    low = 0.0
    for high in (axis.arm.stiffness * np.geomspace(_SOFTEST, _STIFFEST, _POINTS)).tolist():
        if not holds(like.scaled(high)):
            return _between(low, high, lambda stiffness: holds(like.scaled(stiffness)))
        low = high
    return inf


def _between(low: float, high: float, holds: Callable[[float], bool]) -> float:
    """Where something ceases to hold; 0 if it does not hold at the lower end."""
    if low == 0.0:
        return 0.0
    for _ in range(_HALVINGS):
        middle = sqrt(low * high)
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _radius(A: Array) -> float:
    return float(np.abs(np.linalg.eigvals(A)).max())


def _step_response(A: Array, b: Array, c: Array, ticks: int) -> Array:
    """c·s from rest under a unit input, as a share of where it ends; block by block for speed."""
    rest = np.linalg.solve(np.eye(len(b)) - A, b)
    rows = np.empty((_BLOCK, len(b)))
    row = c
    for i in range(_BLOCK):
        rows[i] = row
        row = row @ A
    jump = np.linalg.matrix_power(A, _BLOCK)
    off, blocks = -rest, []
    for _ in range(max(1, -(-ticks // _BLOCK))):
        blocks.append(rows @ off)
        off = jump @ off
    return 1.0 + np.concatenate(blocks) / (c @ rest)
