"""How gains move from the values in force to the configured ones."""

from math import exp, log

from pliant.numerics.kernels import kernel

_LOG_LEFT = log(0.01)
"""Logarithm of the share of a change that is left after the duration of the ramp."""


@kernel
def gain_share(ramp: float, fresh: bool, dt: float) -> float:
    """The share of its remaining change that a gain makes in one period.

    Args:
        ramp: How long a change of gains takes, s.
        fresh: Whether the law was just activated; it then takes the configured gains at once.
        dt: The period, s.
    """
    return 1.0 if fresh or ramp <= dt else 1.0 - exp(_LOG_LEFT * dt / ramp)
