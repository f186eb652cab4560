"""Largest surface stiffness with which an axis is stable and well damped."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from math import inf, log, sqrt

import numpy as np

from pliant.numerics.spatial import Array
from pliant.stability.axis import Axis, Gains, Surface
from pliant.stability.contact_loop import closed_loop

MAX_OVERSHOOT = 0.2
"""Largest total overshoot of a well-damped step, as a fraction of the step.

The sum of all overshoots and undershoots; a damping ratio of 0.5 gives 0.2.
"""

_SOFTEST, _STIFFEST = 1e-4, 1e2
"""Range of surface stiffness examined, relative to the stiffness of the arm."""

_MIN_DAMPING, _MAX_DAMPING = 0.02, 500.0
"""Range of damping examined, relative to the present one."""

_MAX_RATIO = 0.0125
"""Largest M/D of advised gains, s; that of the default gains."""

_SETTLING_FACTOR = 2.3
"""Settling time in units of D/k."""

_MAX_SETTLING = 1.0
"""Longest settling time of advised gains, s."""

_POINTS = 25
_HALVINGS = 8
_BLOCK = 32
_MAX_DURATION = 20.0
_TIME_CONSTANTS = 5.0


class Contact(Enum):
    """Behaviour of a contact."""

    UNSTABLE = "unstable"
    RINGS = "rings"
    WELL_DAMPED = "well damped"


@dataclass(frozen=True, kw_only=True)
class Margin:
    """Stiffness limits of an axis.

    Attributes:
        stable: Largest surface stiffness with which contact is stable, N/m; infinite if the arm is
            compliant enough for any surface.
        well_damped: Largest surface stiffness with which contact settles without ringing, N/m.
    """

    stable: float
    well_damped: float


def growth(axis: Axis, surface: Surface) -> float:
    """Growth rate of the least damped mode, 1/s; negative if the contact is stable."""
    A, _, _ = closed_loop(axis, surface)
    return log(_radius(A)) / axis.dt


def judge(axis: Axis, surface: Surface) -> Contact:
    """Classify a contact by its eigenvalues and its step response."""
    if growth(axis, surface) >= 0.0:
        return Contact.UNSTABLE
    return Contact.WELL_DAMPED if total_overshoot(axis, surface) <= MAX_OVERSHOOT else Contact.RINGS


def total_overshoot(axis: Axis, surface: Surface) -> float:
    """Sum of all overshoots and undershoots of a force step, as a fraction of the step.

    Infinite if the contact is unstable.
    """
    A, b, c = closed_loop(axis, surface)
    radius = _radius(A)
    if radius >= 1.0:
        return inf
    ticks = min(_TIME_CONSTANTS / -log(radius), _MAX_DURATION / axis.dt)
    path = np.abs(np.diff(_step_response(A, b, c, int(ticks)), prepend=0.0, append=1.0)).sum()
    # the path covers 0 to 1 once, and each overshoot twice: out and back
    return 0.5 * (float(path) - 1.0)


def margin(axis: Axis, like: Surface | None = None) -> Margin:
    """Stiffness limits of an axis.

    Args:
        axis: The axis.
        like: A surface with the mass and damping ratio to assume; neither if None.
    """
    surface = like or Surface(stiffness=1.0)
    return Margin(
        stable=_limit(axis, surface, lambda s: growth(axis, s) < 0.0),
        well_damped=_limit(axis, surface, lambda s: total_overshoot(axis, s) <= MAX_OVERSHOOT),
    )


def gains_for(axis: Axis, surface: Surface) -> Gains | None:
    """Find the smallest damping, with its inertia, that makes a contact well damped.

    M/D stays as it is, but is reduced if it is large, because that only adds oscillation.

    Returns:
        The gains; None if none are well damped, or if the force would take longer than a second to
        settle.
    """
    inertia = min(axis.gains.inertia, _MAX_RATIO * axis.gains.damping)
    axis = replace(axis, gains=replace(axis.gains, inertia=inertia))
    low, high = (factor * axis.gains.damping for factor in (_MIN_DAMPING, _MAX_DAMPING))
    if total_overshoot(with_damping(axis, high), surface) > MAX_OVERSHOOT:
        return None
    while high / low > 1.02:
        middle = sqrt(low * high)
        damped = total_overshoot(with_damping(axis, middle), surface) <= MAX_OVERSHOOT
        low, high = (low, middle) if damped else (middle, high)
    compliance = 1.0 / surface.stiffness + 1.0 / axis.arm.touching(surface).stiffness
    return (
        with_damping(axis, high).gains
        if _SETTLING_FACTOR * high * compliance <= _MAX_SETTLING
        else None
    )


def with_damping(axis: Axis, damping: float) -> Axis:
    """The axis with another damping, and its inertia scaled to keep M/D."""
    inertia = axis.gains.inertia * damping / axis.gains.damping
    return replace(axis, gains=replace(axis.gains, damping=damping, inertia=inertia))


def _limit(axis: Axis, like: Surface, holds: Callable[[Surface], bool]) -> float:
    """The stiffness up to which a condition holds, starting from the softest surface."""
    low = 0.0
    for high in (axis.arm.stiffness * np.geomspace(_SOFTEST, _STIFFEST, _POINTS)).tolist():
        if not holds(like.scaled(high)):
            return _between(low, high, lambda stiffness: holds(like.scaled(stiffness)))
        low = high
    return inf


def _between(low: float, high: float, holds: Callable[[float], bool]) -> float:
    """The value at which a condition ceases to hold; 0 if it does not hold at the lower end."""
    if low == 0.0:
        return 0.0
    for _ in range(_HALVINGS):
        middle = sqrt(low * high)
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _radius(A: Array) -> float:
    return float(np.abs(np.linalg.eigvals(A)).max())


def _step_response(A: Array, b: Array, c: Array, ticks: int) -> Array:
    """Step response of c·s relative to its final value, computed block by block for speed."""
    final = np.linalg.solve(np.eye(len(b)) - A, b)
    rows = np.empty((_BLOCK, len(b)))
    row = c
    for i in range(_BLOCK):
        rows[i] = row
        row = row @ A
    A_block = np.linalg.matrix_power(A, _BLOCK)
    error, blocks = -final, []
    for _ in range(max(1, -(-ticks // _BLOCK))):
        blocks.append(rows @ error)
        error = A_block @ error
    return 1.0 + np.concatenate(blocks) / (c @ final)
