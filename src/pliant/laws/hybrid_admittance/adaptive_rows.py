"""Damping in use along the force-controlled rows, and adaptive damping of translations."""

from pliant.laws.contact_adaptation import (
    adaptive_damping,
    adaptive_inertia,
    adaptive_speed,
    calming_damping,
)
from pliant.laws.hybrid_admittance.config import HybridConfig
from pliant.laws.hybrid_admittance.hybrid_state import State
from pliant.laws.hybrid_admittance.subspace import along
from pliant.laws.law_base import ROW_SPEED_LIMITED
from pliant.laws.wrench_ramp import target_along_axes
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import Array
from pliant.tick import Tick


@kernel
def adapt_rows(
    tick: Row[Tick],
    s: Row[State],
    p: Row[HybridConfig],
    beta: float,
    v: Array,
    v_ref: Array,
    F_r: Array,
    a_r: Array,
) -> int:
    """Write D_row and v_row; under adaptive damping replace the acceleration of translations.

    Args:
        tick: This tick.
        s: State of the law, gains and force error written.
        p: Parameters of the law.
        beta: Factor of the oscillation observer.
        v: Velocity, in the axes of Tr.
        v_ref: Velocity of the reference, likewise.
        F_r: Force along each row, with the configured damping.
        a_r: In and out: acceleration along each row.

    Returns:
        The bit ROW_SPEED_LIMITED if a row reaches its speed limit, else 0.
    """
    t, now, c = tick[0], s[0], p[0]
    limited, share = 0, now.adaptive
    relative, desired = scratch(6), scratch(6)
    if share > 0.0:
        # without its ramp, for which the speed must not wait
        target_along_axes(tick, desired)
    for i in range(t.n_af):
        fixed, linear = 0.0, 0.0
        for j in range(6):
            square = t.Tr[i, j] * t.Tr[i, j]
            fixed += square * now.D[j]
            if j < 3:
                linear += square
        t.D_row[i] = beta * fixed
        if share == 0.0 or linear < 0.5:
            continue
        for j in range(6):
            relative[j] = v[j] - now.G[j] * v_ref[j]
        speed, push = along(t.Tr, i, relative), F_r[i]
        for j in range(6):
            push += t.Tr[i, j] * beta * now.D[j] * relative[j]
        delay, k = t.loop_delay, t.k_contact[i]
        D = calming_damping(beta, adaptive_damping(k, delay, t.touching[i] != 0), delay)
        adaptive = (push - D * speed) / adaptive_inertia(D, t.dt)
        a_r[i] += share * (adaptive - a_r[i])
        force = along(t.Tr, i, desired)
        most = adaptive_speed(k, delay, force, c.contact_peak) + (1.0 - share) * c.max_speed[0]
        before = along(t.Tr, i, v)
        after = before + t.dt * a_r[i]
        if abs(after) > most:
            a_r[i] = ((most if after > 0.0 else -most) - before) / t.dt
            limited = ROW_SPEED_LIMITED
        t.D_row[i] += share * (D - t.D_row[i])
        t.v_row[i] = most
    return limited
