"""Damping and speed of a force-controlled row from what the contact stage has found out.

With k the stiffness of the environment in series with that of the arm, and T the delay of the force
loop,

    D = 2·k·T in contact, a small D in free motion,    M = 4 ms·D,    |v| <= b / (k·T + Z)

D = 2·k·T is well damped. An arm that meets a surface at the speed v exceeds its force by about
v·k·T, and the masses that knock together by v·Z more, so b bounds the peak: in free motion, where k
is that of the stiffest surface, that of the first contact.
"""

from pliant.arms.contact import STIFFEST, TIP_STIFFNESS
from pliant.numerics.kernels import kernel

LEAST_DAMPING = 80.0
"""Damping in free motion, N·s/m; with so much, an arm that a hand guides does not ring."""

FASTEST = 0.1
"""Largest speed of an adaptive row, m/s."""

_INERTIA_TIME = 0.004
# The sensor feels the inertia of the tool, which must not outweigh the law's, kg.
_LEAST_INERTIA = 0.8
# Impedance of the knock, N·s/m: the masses of tool and surface meet before the law can act.
_KNOCK = 100.0
# Share of the force by which any peak may exceed it.
_OVERSHOOT = 0.4
# Peaks are about 1.15 times as large as v·k·T, and 1 N of noise and inertia more.
_MARGIN, _OTHER = 1.15, 1.0
_LEAST_BUDGET = 0.2


@kernel
def series_stiffness(k: float) -> float:
    """Stiffness of a surface in series with that of the arm, N/m."""
    return k * TIP_STIFFNESS / (k + TIP_STIFFNESS)


@kernel
def adaptive_damping(k: float, delay: float, touching: bool) -> float:
    """Damping of a row, N·s/m, for a surface of stiffness k."""
    return max(LEAST_DAMPING, 2.0 * series_stiffness(k) * delay) if touching else LEAST_DAMPING


@kernel
def calming_damping(beta: float, damping: float, delay: float) -> float:
    """Damping of a row, N·s/m, that the oscillation observer raises by β.

    The stiffest surface needs no more than its own. More would calm no swing, but push hard against
    what the reference moves the tool into.
    """
    return max(damping, min(beta * damping, adaptive_damping(STIFFEST, delay, True)))


@kernel
def adaptive_inertia(damping: float, dt: float) -> float:
    """Inertia that goes with a damping, kg."""
    return max(_LEAST_INERTIA, max(_INERTIA_TIME, 2.0 * dt) * damping)


@kernel
def allowed_peak(force: float, peak: float) -> float:
    """The contact peak that is allowed under a force target, N."""
    return max(peak, (1.0 + _OVERSHOOT) * abs(force))


@kernel
def adaptive_speed(k: float, delay: float, force: float, peak: float) -> float:
    """Speed limit of a row, m/s.

    Args:
        k: Stiffness of the surface, N/m.
        delay: Delay of the force loop, s.
        force: Desired force, N.
        peak: Allowed contact peak, N; more is allowed for a larger force.
    """
    budget = max(_LEAST_BUDGET, (allowed_peak(force, peak) - _OTHER) / _MARGIN)
    return min(FASTEST, budget / (series_stiffness(k) * delay + _KNOCK))
