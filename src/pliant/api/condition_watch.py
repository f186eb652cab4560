"""Judging a condition by a program that watches the ticks; the loop judges it by itself."""

from collections.abc import Callable
from operator import ge, gt, le, lt

import numpy as np

from pliant.stages.supervisor.conditions import Condition, Quantity
from pliant.tick import Tick

_COMPARE = {"<": lt, "<=": le, ">": gt, ">=": ge}


def watch(when: Condition, dt: float) -> Callable[[Tick], bool]:
    """Whether a condition holds, asked of one tick after the other.

    Args:
        when: The condition.
        dt: The control period, s.
    """
    wanted, held = when.ticks_at(dt), 0

    def holds(tick: Tick) -> bool:
        nonlocal held
        true = all(_COMPARE[t.comparison](_value(t.quantity, tick), t.value) for t in when.terms)
        held = held + 1 if true else 0
        return held >= wanted

    return holds


def _value(quantity: Quantity, tick: Tick) -> float:
    values = np.atleast_1d(getattr(tick, quantity.column))
    count = quantity.elements(len(values))
    part = values[quantity.first : quantity.first + count]
    return float(np.linalg.norm(part)) if quantity.norm else float(part[0])
