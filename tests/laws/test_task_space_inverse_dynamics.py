"""The tool on a circle, and its degradation at joint limits."""

import numpy as np
import pytest

from pliant.arms import load_arm
from pliant.laws.task_space_inverse_dynamics.kernel import BOUND, RELAXED

PANDA = load_arm("panda")
DT = 1e-3


def violations(rows: np.ndarray, torque_share: float = 0.9) -> tuple[float, float, float]:
    """Violation of the limits of torque, velocity and position by the solutions."""
    tau = rows["tau_law"] - rows["tau_blend"]
    qdd = np.linalg.solve(rows["M"], (tau - rows["c"])[..., None])[..., 0]
    qd = rows["qd"] + DT * qdd
    q = rows["q"] + DT * qd
    return (
        float((np.abs(tau) - torque_share * PANDA.tau_max).max()),
        float((np.abs(qd) - 0.75 * PANDA.qd_max).max()),
        float(np.maximum(q - PANDA.q_max + 0.05, PANDA.q_min + 0.05 - q).max()),
    )


def off_mm(rows: np.ndarray) -> np.ndarray:
    return 1e3 * np.linalg.norm(rows["e_T"][:, :3], axis=1)


@pytest.mark.parametrize(("friction", "bound"), [("off", 1.0), ("typical", 10.0)])
def test_a_circle_within_a_millimetre_or_the_error_of_friction(make_panda, friction, bound):
    arm = make_panda(friction=friction)
    arm.use_preset("cartesian")
    start = arm.time
    arm.wait(5.5)
    rows = arm.history.since(start)
    assert off_mm(rows).max() < bound
    # two corners of the circle are 20 cm apart
    assert np.ptp(rows["X_WT"][:, 1]) == pytest.approx(0.2, abs=2e-3 * bound)
    assert not rows["clipped"].any()
    assert not (rows["law_limited"] & RELAXED).any()


def test_the_tool_degrades_and_recovers_at_a_joint_stop(make_panda):
    q = np.array(PANDA.home)
    q[3] = -2.9
    arm = make_panda(q=q, reference={"circle": {"period": 1.0, "plane": "xy"}})
    arm.activate("task_space_inverse_dynamics")
    arm.wait(0.05)
    start, X_WR = arm.time, arm.tick.X_WR
    arm.circle()
    arm.wait(4.0)
    rows = arm.history.since(start)
    assert off_mm(rows).max() > 20.0
    assert (rows["law_limited"] & BOUND).any()
    assert not (rows["law_limited"] & RELAXED).any()
    assert max(violations(rows)) < 1e-6
    assert (np.maximum(rows["q"] - PANDA.q_max, PANDA.q_min - rows["q"]) < -0.04).all()
    arm.set("reference.max_speed", (0.3, 1.0))
    arm.move_to(X_WR, wait=False)
    arm.wait(2.5)
    assert off_mm(arm.history.since(arm.time - 0.1)).max() < 1.0


def test_the_tool_degrades_and_recovers_at_torque_limits(make_panda):
    arm = make_panda(reference={"circle": {"period": 1.0}, "max_speed": (0.3, 1.0)})
    arm.use_preset("cartesian")
    arm.wait(1.5)
    start, X_WR = arm.time, arm.tick.X_WR
    arm.set("laws.task_space_inverse_dynamics.torque_share", 0.07)
    arm.wait(2.0)
    rows = arm.history.since(start + 0.1)
    assert off_mm(rows).max() > 100.0
    torque = np.abs(rows["tau_law"] - rows["tau_blend"])
    at_limit = (torque > 0.07 * PANDA.tau_max - 1e-6).any(axis=1)
    assert np.count_nonzero(at_limit) > 500
    assert (rows["law_limited"][at_limit] & BOUND).all()
    assert not (rows["law_limited"] & RELAXED).any()
    assert max(violations(rows, torque_share=0.07)) < 1e-6
    arm.set("laws.task_space_inverse_dynamics.torque_share", 0.9)
    arm.move_to(X_WR, wait=False)
    arm.wait(3.0)
    assert off_mm(arm.history.since(arm.time - 0.5)).max() < 1.0
