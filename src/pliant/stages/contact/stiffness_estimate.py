"""Stiffness of what the tool touches, along each force-controlled row of Tr.

x is the way of the tool, filtered like the force f; δx and δf are what remains of both above a slow
average that starts at the touch, so that a slope on which the tool slides is no softness. From
their weighted sums n = Σ1, X = Σδx, F = Σδf, Q = Σδx², P = Σδx·δf follows the slope of f over x,

    k = (w·k_max − (P − X·F/n)) / (w + Q − X²/n)

The sums forget with exp(−dt/τ·min(1, (e/20 µm)⁴)), where e is the deviation of δx from its mean:
not while there is nothing to learn, such as the noise of a force that has settled. A rise of the
estimate is taken at once, a fall with τ. In free motion it is k_max: the next surface may be stiff.
"""

from math import exp

from pliant.arms.contact import STIFFEST, STIFFEST_ROTATION
from pliant.numerics.kernels import Row, kernel
from pliant.tick import Tick

TOUCH, TOUCH_TORQUE = 0.4, 0.04
"""Force and torque from which a row is in contact, N and N·m; contact ends below half of it."""

_MEMORY = 0.1
# Time constant of the slow averages, s: what is learned is the stiffness here, not since the touch.
_SLOW = 0.07
_WAY = 2e-5
# Weight of the stiffest surface, m²·s: a way of 20 µm, for 2 ms.
_WEIGHT = 8e-13


@kernel
def estimate_stiffness(
    prev: Row[Tick], tick: Row[Tick], i: int, linear: bool, begins: bool
) -> None:
    """Write touch, sums and stiffness of row i.

    Args:
        prev: The previous tick.
        tick: This tick, with f_row and x_row_filtered written.
        i: The row.
        linear: Whether the row is a translation.
        begins: Whether the row is force-controlled only from now on.
    """
    a, t = prev[0], tick[0]
    force, threshold = abs(t.f_row[i]), TOUCH if linear else TOUCH_TORQUE
    was = a.touching[i] != 0 and not begins
    t.touching[i] = force > (0.5 * threshold if was else threshold)
    stiffest = STIFFEST if linear else STIFFEST_ROTATION
    if not (was and t.touching[i] != 0 and linear):
        t.x_anchor[i], t.f_anchor[i] = t.x_row_filtered[i], t.f_row[i]
        t.k_sums[i] = 0.0
        t.k_contact[i] = stiffest
        return
    leak = t.dt / _SLOW
    t.x_anchor[i] = a.x_anchor[i] + leak * (t.x_row_filtered[i] - a.x_anchor[i])
    t.f_anchor[i] = a.f_anchor[i] + leak * (t.f_row[i] - a.f_anchor[i])
    dx, df = t.x_row_filtered[i] - t.x_anchor[i], t.f_row[i] - t.f_anchor[i]
    before, now = a.k_sums[i], t.k_sums[i]
    deviation = dx - (before[1] / before[0] if before[0] > 0.0 else 0.0)
    rate = t.dt / _MEMORY
    keep = exp(-rate * min(1.0, (deviation / _WAY) ** 4))
    now[0] = keep * before[0] + t.dt
    now[1] = keep * before[1] + t.dt * dx
    now[2] = keep * before[2] + t.dt * df
    now[3] = keep * before[3] + t.dt * dx * dx
    now[4] = keep * before[4] + t.dt * dx * df
    spread = now[3] - now[1] * now[1] / now[0]
    together = now[4] - now[1] * now[2] / now[0]
    k = (_WEIGHT * stiffest - together) / (_WEIGHT + max(0.0, spread))
    k = max(0.0, min(stiffest, k))
    k_before = a.k_contact[i]
    t.k_contact[i] = k if k > k_before else k_before + min(1.0, rate) * (k - k_before)
