"""Gains: derived damping, and the refusal of unstable gains."""

import numpy as np
import pytest
from pydantic import ValidationError

from pliant.errors import ConfigError
from pliant.laws import HybridAdmittance, HybridConfig

DT = 0.002


def test_damping_ratio_adds_to_explicit_damping():
    gains = HybridConfig(
        stiffness=(400.0, 9.0), inertia=(4.0, 0.25), damping=(10.0, 1.0), damping_ratio=(0.5, 1.0)
    )
    assert gains.total_damping == pytest.approx((10.0 + 40.0,) * 3 + (1.0 + 3.0,) * 3)


def test_a_damping_ratio_gives_its_theoretical_overshoot(make_arm):
    ratio = 0.4
    arm = make_arm(lag=False, quiet=True)
    arm.law.set(
        stiffness=(300.0, 20.0),
        damping=(0.0, 0.0),
        damping_ratio=(ratio, ratio),
        max_acceleration=(10.0, 50.0),
        gain_ramp=0.0,
    )
    arm.set_axes("y")
    arm.wait(0.01)
    y = arm.tick.e_T[1]
    arm.hand.schedule([0, 6.0, 0, 0, 0, 0], axes="T")
    arm.wait(2.5)
    peak = np.abs(arm.history["e_T"][:, 1] - y).max()
    overshoot = np.exp(-np.pi * ratio / np.sqrt(1.0 - ratio**2))
    assert peak == pytest.approx(6.0 / 300.0 * (1.0 + overshoot), rel=0.01)


@pytest.mark.parametrize(
    ("gains", "reason"),
    [
        ({"damping": (6000.0, 20.0)}, r"D·dt/M = 1\.2 exceeds 1 .* M >= 12 or D <= 5000"),
        ({"damping": (800.0, 130.0)}, r"axis rx: D·dt/M"),
        ({"damping": (0.0, 20.0)}, "axis x has no damping"),
        ({"damping": (0.0, 20.0), "damping_ratio": (1.0, 0.0)}, "axis x has no damping"),
        ({"damping": (800.0, 0.0), "stiffness": (0.0, 5.0)}, "axis rx has no damping"),
        (
            {"stiffness": (1e6, 1.0), "inertia": (3.0, 0.25), "damping": (100.0, 20.0)},
            r"axis x: K·dt²/M = 1\.33 exceeds 1",
        ),
    ],
)
def test_unstable_gains_are_refused_with_the_reason(make_arm, gains, reason):
    with pytest.raises(ConfigError, match=reason):
        HybridAdmittance(HybridConfig(**gains), dt=DT)
    arm = make_arm()
    before = arm.config
    with pytest.raises(ConfigError, match=reason):
        arm.law.set(**gains)
    assert arm.config == before


@pytest.mark.parametrize(
    "gains",
    [
        {"inertia": (0.0, 0.1)},
        {"inertia": (-1.0, 0.1)},
        {"inertia": (np.nan, 0.1)},
        {"inertia": (np.inf, 0.1)},
        {"stiffness": (-1.0, 0.0)},
        {"stiffness": (np.inf, 0.0)},
        {"damping": (np.nan, 1.0)},
        {"damping": (1.0, 2.0, 3.0)},
        {"max_speed": (0.0, 1.0)},
        {"stiction": (1.0, 0.0), "pid_p": (0.5, 0.0)},
        {"softness": 3.0},
    ],
)
def test_values_out_of_bounds_are_refused(gains):
    with pytest.raises(ValidationError):
        HybridConfig(**gains)


def test_the_same_gains_may_work_at_a_higher_rate():
    gains = HybridConfig(damping=(6000.0, 20.0))
    with pytest.raises(ConfigError):
        HybridAdmittance(gains, dt=DT)
    HybridAdmittance(gains, dt=0.001)


def test_gains_ramp_over_the_configured_time(make_arm):
    arm = make_arm()
    arm.law.set(stiffness=(1000.0, 50.0), gain_ramp=0.5)
    arm.wait(0.5)
    K = HybridAdmittance().state_of(arm.history.since(arm.time))["K"][0]
    np.testing.assert_allclose(K, np.array([1000.0] * 3 + [50.0] * 3), rtol=0.011)
    assert K[0] < 1000.0
