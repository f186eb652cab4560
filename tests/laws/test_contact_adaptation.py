"""Adaptive damping, and what the oscillation observer makes of it."""

from hypothesis import given
from hypothesis import strategies as st

from pliant.arms.contact import STIFFEST
from pliant.laws.contact_adaptation import adaptive_damping, calming_damping

DELAYS = st.floats(0.002, 0.1)
STIFFNESSES = st.floats(0.0, STIFFEST)


@given(st.floats(1.0, 64.0), STIFFNESSES, DELAYS, st.booleans())
def test_the_observer_raises_damping_to_that_of_the_stiffest_surface_at_most(
    beta: float, k: float, delay: float, touching: bool
) -> None:
    damping = adaptive_damping(k, delay, touching)
    raised = calming_damping(beta, damping, delay)
    assert damping <= raised <= beta * damping
    assert raised in (damping, beta * damping, adaptive_damping(STIFFEST, delay, True))


@given(STIFFNESSES, DELAYS)
def test_a_calm_row_keeps_its_damping(k: float, delay: float) -> None:
    damping = adaptive_damping(k, delay, True)
    assert calming_damping(1.0, damping, delay) == damping
