"""Identification of the servo's dead time and lag."""

import numpy as np
import pytest

from pliant import Arm
from pliant.errors import Refused
from pliant.identify import fit_lag, identify_lag
from pliant.tick import new_rows

DT = 0.002


@pytest.mark.parametrize(
    ("dead", "lag"), [(0.0, 0.002), (0.0013, 0.0007), (0.008, 0.026), (0.0, 0.034), (0.05, 0.0)]
)
def test_dead_time_and_lag_are_identified_within_a_millisecond(dead, lag):
    actuator = {"dead_time": dead, "time_constant": lag}
    arm = Arm("sim:ur5e", config={"sim": {"actuator": actuator}})
    arm.wait(0.05)
    start = np.array(arm.tick.X_WT)
    fit = identify_lag(arm)
    assert fit.lag.value == pytest.approx(dead + lag, abs=1e-4)
    assert fit.dead_time.value == pytest.approx(dead, abs=1e-3)
    assert fit.time_constant.value == pytest.approx(lag, abs=1e-3)
    assert fit.servo.lag == pytest.approx(fit.lag.value)
    np.testing.assert_allclose(arm.tick.X_WT, start, atol=1e-4)
    moved = np.ptp(arm.history["X_WT"][:, :3], axis=0)
    assert moved.max() < 0.02, "small, safe motions"


def synthetic_ticks(dead: float, lag: float, noise: float = 0.0, seed: int = 0) -> np.ndarray:
    """Ticks of an arm with an ideal servo, with noise on its encoders."""
    rng = np.random.default_rng(seed)
    rows = new_rows(2, 1500)
    time = DT * np.arange(1500)
    rows["time"], rows["dt"] = time, DT
    for j in range(2):
        turn = 0.01 * np.cumsum(rng.choice([-1.0, 1.0], 15)).repeat(80)
        turn = np.concatenate(
            [np.zeros(150), np.interp(np.arange(1200) / 80, range(15), turn[::80])]
        )
        sent = np.concatenate([turn, np.full(150, turn[-1])])
        rows["q_sent"][:, j] = sent
        fine = np.linspace(0.0, time[-1], 15000)
        line = np.interp(fine - DT - dead, time, sent, left=sent[0])
        q = np.zeros_like(fine)
        step = fine[1] - fine[0]
        fraction = 1.0 - np.exp(-step / lag)
        for k in range(1, len(fine)):
            q[k] = q[k - 1] + fraction * (line[k] - q[k - 1])
        rows["q"][:, j] = np.interp(time, fine, q)
        rows["qd"][:, j] = np.gradient(rows["q"][:, j], DT)
    rows["q"] += noise * rng.standard_normal(rows["q"].shape)
    return rows


def test_encoder_noise_is_averaged_and_increases_the_error():
    fit = fit_lag(synthetic_ticks(0.010, 0.020, noise=1e-4))
    assert fit.lag.value == pytest.approx(0.030, abs=1e-3)
    assert fit.residual == pytest.approx(1e-4, rel=0.3)
    quiet = fit_lag(synthetic_ticks(0.010, 0.020))
    assert quiet.lag.error < fit.lag.error
    assert abs(fit.lag.value - 0.030) < 5.0 * fit.lag.error + 1e-4


def test_an_arm_that_did_not_move_is_refused():
    rows = new_rows(6, 500)
    rows["dt"] = DT
    with pytest.raises(Refused, match="hardly moved"):
        fit_lag(rows)


def test_an_active_law_is_not_deactivated():
    arm = Arm("sim:ur5e")
    arm.wait(0.05)
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.wait(0.01)
    with pytest.raises(Refused, match="hybrid_admittance is active: deactivate it first"):
        identify_lag(arm)
    assert arm.law == "hybrid_admittance"
