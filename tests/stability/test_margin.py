"""Stiffness limits of an axis, and the damping that a surface requires."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from pliant.stability import (
    Axis,
    Contact,
    Gains,
    Servo,
    Surface,
    TipImpedance,
    gains_for,
    judge,
    margin,
    stability_map,
)
from pliant.stability.margin import growth, total_overshoot, with_damping

UR = TipImpedance(stiffness=1e5, damping=1100.0, inertia=4.5, tool=0.5)
AXIS = Axis(
    gains=Gains(inertia=10.0, damping=800.0),
    cutoff=30.0,
    servo=Servo(dead_time=0.008, time_constant=0.026),
    arm=UR,
)


def test_the_classification_changes_at_the_limits():
    limits = margin(AXIS)
    assert growth(AXIS, Surface(stiffness=0.97 * limits.stable)) < 0.0
    assert growth(AXIS, Surface(stiffness=1.03 * limits.stable)) > 0.0
    assert judge(AXIS, Surface(stiffness=0.97 * limits.well_damped)) is Contact.WELL_DAMPED
    assert judge(AXIS, Surface(stiffness=1.03 * limits.well_damped)) is Contact.RINGS
    assert judge(AXIS, Surface(stiffness=1.1 * limits.stable)) is Contact.UNSTABLE


def test_the_default_gains_are_well_damped_up_to_10_newton_per_millimetre():
    assert margin(AXIS).well_damped > 1e4


@pytest.mark.parametrize(
    "better",
    [
        with_damping(AXIS, 1600.0),
        replace(AXIS, servo=Servo(dead_time=0.002, time_constant=0.008)),
        replace(AXIS, cutoff=100.0),
        replace(AXIS, gains=Gains(inertia=4.0, damping=800.0)),
    ],
    ids=["damping", "lag", "filter", "inertia"],
)
def test_more_damping_less_lag_and_less_inertia_help(better):
    assert margin(better).well_damped > 1.1 * margin(AXIS).well_damped


def test_enough_damping_is_stable_on_any_surface_because_the_arm_is_compliant():
    assert margin(with_damping(AXIS, 1e5)).stable == inf


@pytest.mark.parametrize("dead_fraction", [0.1, 0.5, 0.9])
def test_the_rule_of_thumb_holds(dead_fraction):
    """Contact is unstable below about 0.3 to 1.1 k·L, and well damped above about 2 k·L."""
    k, lag = 5e3, 0.034
    servo = Servo(dead_time=dead_fraction * lag, time_constant=(1.0 - dead_fraction) * lag)
    axis, surface = replace(AXIS, servo=servo), Surface(stiffness=k)
    dampings = np.geomspace(0.1, 5.0, 40) * k * lag
    stable = [growth(with_damping(axis, d), surface) < 0.0 for d in dampings]
    least = dampings[stable.index(True)] / (k * lag)
    assert 0.25 < least < 1.2
    assert all(stable[stable.index(True) :])
    needed = gains_for(axis, surface)
    assert needed is not None
    assert 1.2 < needed.damping / (k * lag) < 3.0
    assert needed.inertia / needed.damping == pytest.approx(axis.gains.inertia / axis.gains.damping)
    assert judge(with_damping(axis, needed.damping), surface) is Contact.WELL_DAMPED
    assert judge(with_damping(axis, 0.9 * needed.damping), surface) is Contact.RINGS


def test_advised_gains_have_no_more_inertia_than_necessary():
    heavy, surface = replace(AXIS, gains=Gains(inertia=20.0, damping=100.0)), Surface(stiffness=1e5)
    needed, usual = gains_for(heavy, surface), gains_for(AXIS, surface)
    assert needed
    assert usual
    assert needed.damping == pytest.approx(usual.damping, rel=0.05)
    assert needed.inertia == pytest.approx(usual.inertia, rel=0.05)


def test_no_damping_stabilizes_a_virtual_mass_lighter_than_the_tool():
    light = replace(AXIS, gains=Gains(inertia=0.1, damping=50.0), arm=replace(UR, tool=3.0))
    heavy_surface = Surface(stiffness=1e3, mass=5.0)
    assert judge(light, heavy_surface) is Contact.UNSTABLE
    assert margin(light, heavy_surface).stable == 0.0


@pytest.mark.parametrize(("ratio", "expected"), [(0.5, 0.195), (0.37, 0.403), (1.0, 0.0)])
def test_the_total_overshoot_of_a_second_order_system_is_known(ratio, expected):
    """The sum of the overshoots e^(−nπζ/√(1−ζ²)) of a mass on a spring and a damper."""
    k, m = 4000.0, 10.0
    stiff = TipImpedance(stiffness=1e9, damping=1e5, inertia=1.0)
    axis = Axis(
        gains=Gains(inertia=m, damping=2.0 * ratio * np.sqrt(k * m)),
        cutoff=1e5,
        servo=Servo(dead_time=0.0, time_constant=0.0),
        arm=stiff,
        dt=1e-4,
    )
    assert total_overshoot(axis, Surface(stiffness=k)) == pytest.approx(expected, abs=0.02)


def test_the_map_agrees_with_the_margins():
    found = stability_map(AXIS, Surface(stiffness=1e4))
    column = int(np.argmin(np.abs(found.damping - AXIS.gains.damping)))
    assert found.damping[column] == pytest.approx(AXIS.gains.damping)
    limit = margin(AXIS).stable
    np.testing.assert_array_equal(found.growth[:, column] < 0.0, found.stiffness < limit)
    assert (np.isinf(found.overshoot) == (found.growth >= 0.0)).all()
