"""Predicted contacts, and suggested gains."""

from math import inf

import numpy as np
import pytest

from pliant.errors import Refused
from pliant.stability import (
    Axis,
    Contact,
    ContactTarget,
    Gains,
    Servo,
    Surface,
    TipImpedance,
    judge,
    press,
)
from pliant.stability.suggestion import suggest

UR = TipImpedance(stiffness=1e5, damping=1100.0, inertia=4.5, tool=0.5)
SERVO = Servo(dead_time=0.008, time_constant=0.026)


def make(damping: float, inertia: float) -> Axis:
    return Axis(gains=Gains(inertia=inertia, damping=damping), cutoff=30.0, servo=SERVO, arm=UR)


def test_the_force_settles_at_its_target():
    contact = press(make(800.0, 10.0), Surface(stiffness=1e4), 5.0, dead=0.5)
    assert contact.force[0] < 0.5
    assert contact.force[-1] == pytest.approx(5.0, abs=0.01)
    assert 5.0 < contact.peak < 6.0
    assert 0.05 < contact.settling < 0.4
    assert not contact.rings


def test_too_little_damping_rings_and_never_settles():
    contact = press(make(100.0, 4.0), Surface(stiffness=2e4), 5.0, dead=0.5)
    assert judge(make(100.0, 4.0), Surface(stiffness=2e4)) is Contact.UNSTABLE
    assert contact.rings
    assert contact.settling == inf
    assert contact.force.min() == 0.0, "a surface cannot pull"


def test_the_peak_increases_with_the_approach_speed():
    surface = Surface(stiffness=3e4)
    peaks = [press(make(500.0, 6.0), surface, 20.0, max_speed=v).peak for v in (0.01, 0.02, 0.04)]
    assert peaks[0] < peaks[1] < peaks[2]


def test_suggested_gains_are_well_damped_and_meet_the_requirements():
    target = ContactTarget(softest=3e3, stiffest=3e4, force=5.0, peak=6.0)
    found = suggest(target, SERVO, UR, dt=0.002)
    assert found.peak <= 6.0
    surfaces = list(found.contacts)
    assert surfaces == sorted(surfaces)
    assert (surfaces[0], surfaces[-1]) == pytest.approx((3e3, 3e4))
    axis = make(found.gains.damping, found.gains.inertia)
    for stiffness in found.contacts:
        assert judge(axis, Surface(stiffness=stiffness)) is Contact.WELL_DAMPED
    assert found.gains.damping * 0.002 / found.gains.inertia < 0.5
    # the softest surface takes the longest
    settlings = [press.settling for press in found.contacts.values()]
    assert np.argmax(settlings) == 0


def test_a_large_force_on_a_soft_surface_is_predicted_until_it_settles():
    found = suggest(
        ContactTarget(softest=1e3, stiffest=1e3, force=18.0, peak=21.0), SERVO, UR, dt=0.002
    )
    # 18 mm at 10 mm/s
    assert 1.5 < found.settling < 2.5
    assert 17.8 < found.peak < 21.0


def test_a_longer_lag_needs_more_damping():
    target = ContactTarget(softest=1e4, stiffest=1e4)
    quick = suggest(target, Servo(dead_time=0.0025, time_constant=0.0075), UR, dt=0.002)
    assert quick.gains.damping < 0.7 * suggest(target, SERVO, UR, dt=0.002).gains.damping


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (ContactTarget(softest=1e4, stiffest=1e3), "no stiffer than the stiffest"),
        (ContactTarget(softest=1e4, stiffest=1e4, peak=5.0), "leaves no room above the force"),
        (ContactTarget(softest=1e4, stiffest=1e4, force=-1.0), "above 0"),
        (
            ContactTarget(softest=1e3, stiffest=1e5, settling=0.5),
            "not in 0.5 s: the softest surface takes longest",
        ),
    ],
)
def test_impossible_requirements_are_refused_with_the_reason(target, message):
    with pytest.raises(Refused, match=message):
        suggest(target, SERVO, UR, dt=0.002)
