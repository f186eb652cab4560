"""The standalone law, in a user's loop."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.errors import ConfigError, UnknownNameError
from pliant.laws import HybridAdmittance, HybridConfig
from pliant.laws.hybrid_admittance import PRESETS, preset

START = np.array([0.4, 0.1, 0.3, 1.0, 0.0, 0.0, 0.0])
DT = 0.002


class TutorialController:
    """The admittance tutorial's loop, its offset accumulated: M·a + D·v = F, six axes alike."""

    def __init__(self, M: np.ndarray, D: np.ndarray, dt: float) -> None:
        self.M, self.D, self.dt = M, D, dt
        self.velocity = np.zeros(6)
        self.offset = np.zeros(6)

    def step(self, force: np.ndarray) -> np.ndarray:
        self.velocity = self.velocity + (force - self.D * self.velocity) / self.M * self.dt
        self.offset = self.offset + self.velocity * self.dt
        return self.offset


def test_replaces_the_tutorials_loop():
    gains = preset("light")
    own = TutorialController(np.array(gains.inertia), np.array(gains.damping), DT)
    law = HybridAdmittance("light", dt=DT)
    rng = np.random.default_rng(1)
    pose = START
    for _ in range(500):
        # together at most 2.6 N on 2 kg: under the acceleration limit, which the tutorial lacks
        force = np.array([*rng.uniform(-1.5, 1.5, 3), 0.0, 0.0, 0.0])
        pose = law.step(pose, force)
        np.testing.assert_allclose(pose[:3] - START[:3], own.step(force)[:3], atol=1e-12)
    np.testing.assert_array_equal(pose[3:], START[3:])


@given(
    axis=st.integers(0, 5),
    inertia=st.floats(0.5, 50.0),
    d_share=st.floats(0.01, 1.0),
    k_share=st.floats(0.0, 0.2),
    force=st.floats(-1.0, 1.0),
)
def test_a_step_is_its_closed_form(axis, inertia, d_share, k_share, force):
    """v⁺ = (1 − D·dt/M)·v + dt/M·(F − K·x), x⁺ = x + dt·v⁺, on one axis, for any gains."""
    damping, stiffness = d_share * inertia / DT, min(k_share * inertia / DT**2, 1e6)
    limitless = {"max_speed": (np.inf, np.inf), "max_acceleration": (np.inf, np.inf)}
    caps = {"max_spring_force": np.inf, "max_spring_torque": np.inf}
    gains = HybridConfig(
        stiffness=(stiffness, stiffness),
        damping=(damping, damping),
        inertia=(inertia, inertia),
        **limitless,
        **caps,
    )
    law = HybridAdmittance(gains, dt=DT)
    wrench = np.zeros(6)
    wrench[axis] = force
    pose, x, v = START, 0.0, 0.0
    for _ in range(20):
        pose = law.step(pose, wrench, reference=START)
        v += DT / inertia * (force - stiffness * x - damping * v)
        x += DT * v
        moved = pose[axis] - START[axis] if axis < 3 else 2.0 * np.arcsin(pose[axis + 1])
        assert moved == pytest.approx(x, rel=1e-9, abs=1e-12)


def test_moves_against_the_desired_wrench_until_it_is_measured():
    law = HybridAdmittance()
    surface, pose = START[2] - 0.005, START
    desired = [0, 0, 5, 0, 0, 0]
    for _ in range(3000):
        felt = max(0.0, 1e4 * (surface - pose[2]))
        pose = law.step(pose, [0, 0, felt, 0, 0, 0], desired=desired, axes=(0, 0, 1, 0, 0, 0))
    assert 1e4 * (surface - pose[2]) == pytest.approx(5.0, abs=1e-6)


def test_a_mass_that_turns_goes_straight_on():
    """Newton's first law: a rotation of the tool does not bend the path of its tip."""
    law = HybridAdmittance(HybridConfig(damping=(1e-9, 1e-9), inertia=(1.0, 1.0)))
    pose = START
    for _ in range(50):
        pose = law.step(pose, [0.5, 0, 0, 0, 0, 5.0])
    places = []
    for _ in range(500):
        pose = law.step(pose, np.zeros(6))
        places.append(pose[:3])
    # the tool has rotated by half a radian
    assert abs(2.0 * np.arcsin(pose[6])) > 0.4
    np.testing.assert_allclose(np.diff(places, 2, axis=0), 0.0, atol=1e-12)


def test_adaptive_damping_is_refused_as_it_needs_the_loop():
    law = HybridAdmittance("adaptive", dt=DT)
    with pytest.raises(ConfigError, match="estimates"):
        law.step(START, [0.0] * 6)


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "adaptive"])
def test_every_preset_works_at_500_hz(name):
    law = HybridAdmittance(name, dt=DT)
    pose = START
    for _ in range(2000):
        pose = law.step(pose, [2.0, -1.0, 1.0, 0.05, 0.0, -0.05])
    assert np.isfinite(pose).all()
    assert np.linalg.norm(pose[3:]) == pytest.approx(1.0)


def test_unknown_presets_are_refused_with_the_valid_names():
    with pytest.raises(UnknownNameError, match="stiff_surface"):
        preset("soft")


@pytest.mark.parametrize("where", ["pose", "wrench", "reference", "desired"])
def test_an_invalid_number_is_refused_and_changes_nothing(where):
    laws = HybridAdmittance(), HybridAdmittance()
    pose, push = START, np.array([4.0, 0, 0, 0, 0.2, 0])
    inputs = {"pose": pose, "wrench": push, "reference": pose, "desired": np.zeros(6)}
    for law in laws:
        law.step(**inputs)
    broken = inputs | {where: np.where(np.arange(len(inputs[where])) == 2, np.nan, inputs[where])}
    with pytest.raises(ConfigError, match=where):
        laws[0].step(**broken)
    np.testing.assert_array_equal(laws[0].step(**inputs), laws[1].step(**inputs))


@pytest.mark.parametrize(
    "refused",
    [
        {"axes": (1, 1, 1)},
        {"desired": [np.nan] * 6},
        {"reference": [0.0] * 7},
        {"wrench": [0.0]},
    ],
)
def test_a_first_step_that_is_refused_leaves_no_trace(refused):
    law = HybridAdmittance(HybridConfig(stiffness=(500.0, 20.0)))
    elsewhere = START + 0.1 * np.eye(7)[0]
    with pytest.raises(ConfigError):
        law.step(**{"pose": elsewhere, "wrench": np.zeros(6), **refused})
    np.testing.assert_array_equal(law.step(START, np.zeros(6)), START)


def test_a_pose_has_a_unit_quaternion():
    with pytest.raises(ConfigError, match="norm 2, not 1"):
        HybridAdmittance().step([0, 0, 0, 2, 0, 0, 0], np.zeros(6))


def test_unstable_new_gains_are_refused_and_the_old_stay():
    law = HybridAdmittance(dt=DT)
    before = law.config
    with pytest.raises(ConfigError, match="D·dt/M"):
        law.configure(HybridConfig(damping=(6000.0, 20.0)))
    assert law.config is before


@pytest.mark.parametrize("dt", [0.0, -0.002, np.nan, np.inf])
def test_a_period_is_above_zero(dt):
    with pytest.raises(ConfigError, match="period"):
        HybridAdmittance(dt=dt)


def test_a_mask_has_six_entries():
    with pytest.raises(ConfigError, match="six"):
        HybridAdmittance().step(START, np.zeros(6), axes=(1, 1, 1))
