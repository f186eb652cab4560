"""The oscillation observer: counts swings of the force that do not die away, and answers them.

Along each force-controlled row, f̃ = f − LP(f, 1.5 Hz). A half swing, from one sign change of f̃ to
the next, counts if the range from the last peak to its own is above 1.6 N and above 0.7 of the
range before, and its duration within 1/120 and 1/3 s. (Ranges rather than peaks, because a contact
that is lost in every swing swings further to one side.) At four in succession, and at each further
one, β ← min(64, 1.6·β); while no row has two, β returns to 1 in about 3 s. A law multiplies damping
and inertia by β; adaptive damping, no further than the stiffest surface needs.
"""

from math import exp

from pliant.numerics.filters import smoothing
from pliant.numerics.kernels import Row, kernel
from pliant.tick import Tick

ALARM = 4
"""Half swings in succession that raise β."""

LEAST_SWING, LEAST_TORQUE_SWING = 0.8, 0.08
"""Half of the range from which a half swing counts, N and N·m."""

_CUTOFF = 1.5
_PERSISTS = 0.7
_SHORTEST, _LONGEST = 1.0 / 120.0, 1.0 / 3.0
_FACTOR, _MOST = 1.6, 64.0
_RELAX = 3.0
# β from which a return to 1 is complete.
_DONE = 1.01


@kernel
def count_swings(prev: Row[Tick], tick: Row[Tick], i: int, linear: bool, begins: bool) -> bool:
    """Write the swings of row i; True if another one of many ends in this tick."""
    a, t = prev[0], tick[0]
    if begins:
        forget_swings(tick, i)
        t.f_slow[i] = t.f_row[i]
        return False
    t.f_slow[i] = a.f_slow[i] + smoothing(_CUTOFF, t.dt) * (t.f_row[i] - a.f_slow[i])
    now, before = t.f_row[i] - t.f_slow[i], a.f_row[i] - a.f_slow[i]
    duration = a.swing_time[i] + t.dt
    if now * before > 0.0:
        t.swing_peak[i] = max(a.swing_peak[i], abs(now))
        t.swing_before[i], t.swing_range[i] = a.swing_before[i], a.swing_range[i]
        t.swing_time[i] = duration
        # one that lasts too long ends the succession
        t.swings[i] = a.swings[i] if duration < _LONGEST else 0
        return False
    peak, least = a.swing_peak[i], LEAST_SWING if linear else LEAST_TORQUE_SWING
    spans = peak + a.swing_before[i]
    persists = spans > 2.0 * least and spans > _PERSISTS * a.swing_range[i]
    in_time = _SHORTEST < duration < _LONGEST
    t.swings[i] = a.swings[i] + 1 if persists and in_time else 0
    t.swing_peak[i], t.swing_before[i] = abs(now), peak
    t.swing_range[i], t.swing_time[i] = spans, 0.0
    return t.swings[i] >= ALARM


@kernel
def forget_swings(tick: Row[Tick], i: int) -> None:
    """Write the columns of a row that does not swing."""
    t = tick[0]
    t.f_slow[i], t.swing_peak[i], t.swing_before[i] = 0.0, 0.0, 0.0
    t.swing_range[i], t.swing_time[i] = 0.0, 0.0
    t.swings[i] = 0


@kernel
def swing_gain(before: float, alarm: bool, calm: bool, dt: float) -> float:
    """β of this tick from that of the last one."""
    if alarm:
        return min(_MOST, _FACTOR * before)
    if not calm or before <= 1.0:
        return max(1.0, before)
    gain = 1.0 + (before - 1.0) * exp(-dt / _RELAX)
    return gain if gain > _DONE else 1.0
