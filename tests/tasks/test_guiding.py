"""Guided by hands with the impedance of a human arm, no oscillation grows."""

import numpy as np
import pytest

from pliant.tasks.guiding_trial import PRESETS, _swing, guide_trial

RANGES = {"mass": (1.0, 3.0), "hand_stiffness": (200.0, 1500.0), "hand_damping": (10.0, 60.0)}


def hands(count: int, in_suite: int) -> list:
    """Random hands; the first ones run in the suite, the others in the long one."""
    return [
        seed if seed < in_suite else pytest.param(seed, marks=pytest.mark.long)
        for seed in range(count)
    ]


@pytest.mark.parametrize("preset", ["default", "hand_guiding"])
@pytest.mark.parametrize("seed", hands(100, 2))
def test_any_hand_guides_calmly(preset, seed):
    rng = np.random.default_rng(seed)
    hand = {name: rng.uniform(*bounds) for name, bounds in RANGES.items()}
    figures = guide_trial({**hand, "preset": PRESETS.index(preset)}, seed, "sim:ur5e")
    assert figures["calm"], figures
    if preset == "hand_guiding":
        assert figures["led_mm"] == pytest.approx(100.0, abs=15.0)


def test_a_slow_drift_is_no_swing_but_an_oscillation_is():
    time = np.linspace(0.0, 1.0, 500)
    drift = np.outer(np.exp(-time), [2.0, -1.0, 3.0])
    assert _swing(time, drift) < 0.1
    ringing = drift + np.outer(np.sin(2.0 * np.pi * 3.0 * time), [0.0, 0.5, 0.0])
    # where it begins and ends, the parabola follows the sine a little
    assert 1.0 <= _swing(time, ringing) < 1.2


def test_hand_guiding_takes_less_effort_than_the_default():
    light = guide_trial({"preset": 1.0}, 1, "sim:ur5e")
    heavy = guide_trial({"preset": 0.0}, 1, "sim:ur5e")
    assert light["effort_n"] < 0.3 * heavy["effort_n"]


def test_a_torque_arm_floats():
    figures = guide_trial({}, 1, "sim:panda")
    assert figures["calm"]
    assert figures["led_mm"] == pytest.approx(100.0, abs=10.0)
