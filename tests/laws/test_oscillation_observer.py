"""What rings without the oscillation observer is calmed by it, and what is calm is left alone."""

import numpy as np
import pytest

from pliant.stages.contact.oscillation_observer import LEAST_SWING

from .hand_impedance import hold_by_hand

LOOSE = {"safety": {"contact_force": 300.0, "contact_torque": 50.0}}
PROVOKING = ["press 5", "press 15", "hand 1 1500", "hand 3 200"]


def provoke(make_arm, case: str, observes: bool) -> tuple[np.ndarray, np.ndarray]:
    """Force and ticks of a run that rings: light gains through 34 ms."""
    kind, *numbers = case.split()
    config = {**LOOSE, "contact": {"observe_oscillation": observes}}
    if kind == "press":
        arm = make_arm("table", stiffness=1e5, config=config)
        arm.set_axes("z")
        arm.set_wrench([0, 0, -float(numbers[0]), 0, 0, 0])
        arm.wait_until(lambda tick: tick.true_f_peak > 0.3)
        start = arm.time
        arm.wait(3.5)
        rows = arm.history.since(start)
        return np.linalg.norm(rows["true_f_fixture_W"], axis=1), rows
    arm = make_arm(config=config)
    arm.law.set(inertia=(2.0, 0.05), damping=(20.0, 2.0), gain_ramp=0.0)
    arm.set_axes("x y z")
    arm.wait(0.02)
    start = arm.time
    force = hold_by_hand(arm, *map(float, numbers), damping=10.0, seconds=3.5)
    return force, arm.history.since(start)


@pytest.mark.filterwarnings("ignore::pliant.errors.PliantWarning")
@pytest.mark.parametrize("case", PROVOKING)
def test_it_rings_without_the_observer(make_arm, case):
    force, rows = provoke(make_arm, case, observes=False)
    assert np.ptp(force[-500:]) > 3.0
    assert (rows["swing_gain"] == 1.0).all()


@pytest.mark.filterwarnings("ignore::pliant.errors.PliantWarning")
@pytest.mark.parametrize("case", PROVOKING)
def test_the_observer_calms_it(make_arm, case):
    force, rows = provoke(make_arm, case, observes=True)
    alarm = int(np.flatnonzero(rows["swing_gain"] > 1.0)[0])
    # half swings of the filtered force above 0.8 N until the alarm
    swing = (rows["f_row"] - rows["f_slow"])[:alarm, : rows["n_af"][-1]]
    row = int(np.argmax(np.abs(swing).max(axis=0)))
    halves = np.split(swing[:, row], np.flatnonzero(np.diff(np.sign(swing[:, row]))) + 1)
    assert sum(np.abs(half).max() > LEAST_SWING for half in halves if len(half)) <= 6
    dt = rows["dt"][0]
    rang = np.ptp(force[max(0, alarm - round(0.3 / dt)) : alarm + round(0.1 / dt)])
    later = alarm + round(2.0 / dt)
    assert np.ptp(force[later : later + round(0.4 / dt)]) < 0.2 * rang


def test_an_event_says_so(make_arm):
    arm = make_arm("table", stiffness=1e5, config=LOOSE)
    told: list[str] = []
    arm._session._loop.tell = told.append
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    arm.wait_until(lambda tick: tick.swing_gain > 1.0, 20.0)
    assert len(told) == 1
    assert "swings along z" in told[0]


@pytest.mark.filterwarnings("ignore::pliant.errors.PliantWarning")
@pytest.mark.parametrize("preset", ["default", "hand_guiding", "adaptive"])
@pytest.mark.parametrize("hand", [(1.0, 1500.0, 10.0), (3.0, 200.0, 60.0)])
def test_hands_that_guide_see_no_growing_oscillation(make_arm, preset, hand):
    arm = make_arm(config=LOOSE)
    arm.use_preset(preset)
    arm.set_axes("x y z")
    arm.wait(0.3)
    force = hold_by_hand(arm, *hand, seconds=3.0)
    assert np.ptp(force[-500:]) < 0.2 * np.ptp(force[:500])


def test_the_gain_returns_to_one(make_arm):
    arm = make_arm("table", stiffness=1e5, config=LOOSE)
    arm.set_axes("z")
    arm.set_wrench([0, 0, -5, 0, 0, 0])
    arm.wait_until(lambda tick: tick.swing_gain > 1.0, 20.0)
    arm.law.damping_mode = "adaptive"
    arm.wait(16.0)
    assert arm.tick.swing_gain == 1.0
