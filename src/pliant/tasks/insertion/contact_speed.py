"""How fast a peg may meet its fixture."""

from math import sqrt

from pliant.api.arm import Arm
from pliant.laws.contact_adaptation import adaptive_speed, series_stiffness

_INERTIA = 8.0
"""Inertia of a torque arm at its tool, kg."""


def contact_speed(arm: Arm, stiffness: float, peak: float) -> float:
    """Speed at which a contact has a peak, m/s.

    A torque arm lags little, but knocks with its own inertia.

    Args:
        arm: The arm.
        stiffness: Stiffness of what it meets, N/m.
        peak: The peak, N.
    """
    delay = float(arm.tick.loop_delay)
    if arm.description.takes_torque:
        delay += sqrt(_INERTIA / float(series_stiffness(stiffness)))
    return float(adaptive_speed(stiffness, delay, 0.0, peak))
