"""The contact stage: what adaptive laws need to know of arm and environment.

It estimates the lag of the arm and the stiffness of what the tool touches, and counts swings of the
force. Its rows are the force-controlled ones of Tr; of the other rows it knows nothing.
"""

from pliant.numerics.filters import smoothing
from pliant.numerics.force_frame import TOOL, to_frame
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import Array, unrotate_pair
from pliant.stages.contact.contact_params import ContactParams
from pliant.stages.contact.lag_estimate import estimate_lag
from pliant.stages.contact.oscillation_observer import count_swings, forget_swings, swing_gain
from pliant.stages.contact.stiffness_estimate import estimate_stiffness
from pliant.tick import Tick

SWINGS = 8
"""Bit of what a tick tells its caller: the observer has begun to raise β."""

_CALM = 2


@kernel
def contact_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[ContactParams]) -> int:
    """Write all contact columns of one tick; the bit `SWINGS`, or 0."""
    a, t, c = prev[0], tick[0], p[0]
    estimate_lag(prev, tick, p)
    fresh = a.law != t.law or a.law_seq != t.law_seq
    n = 0
    if t.law >= 0 and c.needs_force[t.law] != 0:
        n = t.n_af
    elif t.law >= 0 and t.ref_kind == c.hand_kind:
        # the hand guides along all axes
        n = 6
    begins = fresh or a.axes_seq != t.axes_seq
    w_F, way_F = scratch(6), scratch(6)
    if n > 0:
        _force_and_way(prev, tick, w_F, way_F)
    t.contact_work = 0.0 if fresh else a.contact_work
    share = smoothing(c.cutoff, t.dt)
    alarm, calm = False, True
    for i in range(6):
        if i >= n:
            _forget(tick, i)
            continue
        linear = _write_row(prev, tick, i, begins, share, w_F, way_F)
        estimate_stiffness(prev, tick, i, linear, begins)
        if c.observes:
            alarm = count_swings(prev, tick, i, linear, begins) or alarm
        else:
            forget_swings(tick, i)
        calm = calm and t.swings[i] < _CALM
    before = 1.0 if fresh else max(1.0, a.swing_gain)
    t.swing_gain = swing_gain(before, alarm, calm, t.dt)
    return SWINGS if alarm and before == 1.0 else 0


@kernel
def _force_and_way(prev: Row[Tick], tick: Row[Tick], w_F: Array, way_F: Array) -> None:
    """Write the filtered wrench and the way of the tool in this period, in the axes of Tr."""
    a, t = prev[0], tick[0]
    to_frame(t.axes_frame, t.X_WF, t.X_WT, t.w_T_filtered, w_F)
    for i in range(3):
        way_F[i] = t.X_WT[i] - a.X_WT[i]
        way_F[3 + i] = t.dt * t.v_WT_W[3 + i]
    unrotate_pair(t.X_WT[3:], way_F, way_F)
    if t.axes_frame != TOOL:
        to_frame(t.axes_frame, t.X_WF, t.X_WT, way_F, way_F)


@kernel
def _write_row(
    prev: Row[Tick],
    tick: Row[Tick],
    i: int,
    begins: bool,
    share: float,
    w_F: Array,
    way_F: Array,
) -> bool:
    """Write force and way along row i; whether it is a translation rather than a rotation."""
    a, t = prev[0], tick[0]
    force, way, linear = 0.0, 0.0, 0.0
    for j in range(6):
        r = t.Tr[i, j]
        force += r * w_F[j]
        way += r * way_F[j]
        if j < 3:
            linear += r * r
    t.f_row[i] = force
    t.x_row[i] = 0.0 if begins else a.x_row[i] + way
    before = 0.0 if begins else a.x_row_filtered[i]
    t.x_row_filtered[i] = before + share * (t.x_row[i] - before)
    t.contact_work += force * way
    return linear >= 0.5


@kernel
def _forget(tick: Row[Tick], i: int) -> None:
    """Write the columns of a row that is not force-controlled."""
    t = tick[0]
    t.f_row[i], t.x_row[i], t.x_row_filtered[i] = 0.0, 0.0, 0.0
    t.touching[i] = 0
    t.x_anchor[i], t.f_anchor[i], t.k_contact[i] = 0.0, 0.0, 0.0
    t.k_sums[i] = 0.0
    forget_swings(tick, i)
