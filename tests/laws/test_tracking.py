"""Tracking accuracy of the joint-space laws on the simulated Panda."""

import numpy as np
import pytest

EXACT = {"friction": "off", "mass_scale": 1.0}
REAL = {"friction": "typical", "mass_scale": 0.9}
CASES = [
    ("inverse_dynamics", EXACT, 1.0),
    ("inverse_dynamics", REAL, 10.0),
    ("inverse_dynamics_simplified", EXACT, 1.0),
    ("inverse_dynamics_simplified", REAL, 10.0),
    ("pd_gravity", REAL, 30.0),
]
SINUS = {"amplitude": 0.3, "frequency": 0.25, "ramp": 1.0}
HALF_A_RADIAN = 0.5 * np.array([1.0, 1.0, 1.0, 1.0, -1.0, 1.0, -1.0])


def rms_mrad(rows: np.ndarray) -> np.ndarray:
    return 1e3 * np.sqrt(((rows["q"] - rows["q_ref"]) ** 2).mean(axis=0))


@pytest.mark.parametrize(("law", "world", "bound"), CASES)
def test_sinus_and_homing_are_followed(make_panda, law, world, bound):
    arm = make_panda(**world, reference={"sinus": SINUS})
    arm.activate(law)
    arm.home(arm.tick.q + HALF_A_RADIAN, time=3.0, wait=False)
    start = arm.time
    arm.wait(3.0)
    homing = arm.history.since(start)
    assert rms_mrad(homing).max() < bound
    assert homing["ref_done"][-1] == 1
    arm.home(time=1.5, wait=False)
    arm.wait(1.6)
    arm.sinus()
    arm.wait(SINUS["ramp"])
    start = arm.time
    arm.wait(4.0)
    sinus = arm.history.since(start)
    assert rms_mrad(sinus).max() < bound
    # every joint made the whole sinus
    assert np.ptp(sinus["q"], axis=0) == pytest.approx(np.full(7, 0.6), abs=0.03)
    assert not sinus["clipped"].any()


def test_gains_change_without_a_jump(make_panda):
    arm = make_panda(friction="typical", reference={"sinus": SINUS})
    arm.activate("inverse_dynamics")
    arm.sinus()
    arm.wait(1.2)
    start = arm.time
    arm.set("laws.inverse_dynamics.bandwidth", 40.0)
    arm.wait(0.3)
    arm.set("laws.inverse_dynamics.bandwidth", (120.0, 120.0, 120.0, 120.0, 120.0, 150.0, 150.0))
    arm.set("reference.sinus.amplitude", 0.2)
    arm.wait(0.5)
    rows = arm.history.since(start)
    assert np.abs(np.diff(rows["tau_law"], axis=0)).max() < 0.5
    assert np.abs(np.diff(rows["qd_ref"], axis=0)).max() < 0.02
    assert not rows["clipped"].any()
