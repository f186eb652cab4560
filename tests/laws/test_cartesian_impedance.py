"""Cartesian impedance: measured stiffness and damping are the configured ones."""

import numpy as np
import pytest
from scipy.optimize import curve_fit

from pliant.arms import Tool, load_arm
from pliant.arms.arm_model import ArmModel
from pliant.arms.pinocchio import build_pinocchio
from pliant.laws import CartesianImpedance
from pliant.laws.cartesian_impedance import CartesianImpedanceConfig
from pliant.numerics.spatial import pose_step, quat_to_matrix

PANDA = load_arm("panda")
K = np.array([800.0, 800.0, 800.0, 40.0, 40.0, 40.0])
PUSH = np.array([8.0, 8.0, 8.0, 1.0, 1.0, 1.0])
GAINS = {"cartesian_impedance": {"stiffness": K.tolist(), "damping_ratio": 0.7}}


def random_pose(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return PANDA.home + rng.uniform(-0.5, 0.5, 7)


def modes(row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The modal transformation of a displacement of the tool, in T, and the modal frequencies."""
    R = np.empty((3, 3))
    quat_to_matrix(row["X_WT"][3:], R)
    J_T = np.vstack([R.T @ row["J_W"][:3], R.T @ row["J_W"][3:]])
    L = np.linalg.cholesky(J_T @ np.linalg.solve(row["M"], J_T.T))
    squares, U = np.linalg.eigh(L.T @ np.diag(K) @ L)
    return U.T @ np.linalg.inv(L), np.sqrt(squares)


def ratio_of(response: np.ndarray, frequency: float) -> float:
    """Damping ratio of a step response with final value 1, fitted."""
    time = 1e-3 * np.arange(len(response))

    def model(t: np.ndarray, w: float, ratio: float) -> np.ndarray:
        d = w * np.sqrt(1.0 - ratio**2)
        return 1.0 - np.exp(-ratio * w * t) * (np.cos(d * t) + ratio * w / d * np.sin(d * t))

    (_, ratio), _ = curve_fit(model, time, response, (frequency, 0.5), bounds=(0, (1e3, 0.99)))
    return ratio


@pytest.mark.parametrize("seed", range(10))
def test_stiffness_and_damping_are_the_configured_ones(make_panda, seed):
    arm = make_panda(q=random_pose(seed), laws=GAINS)
    arm.activate("cartesian_impedance")
    arm.wait(0.1)
    to_modes, frequencies = modes(arm.history.since(arm.time)[-1])
    for axis in range(6):
        wrench = np.zeros(6)
        wrench[axis] = PUSH[axis]
        start = arm.time
        arm.hand.schedule(wrench, axes="T", start=start, duration=0.9)
        arm.wait(0.9)
        yielded = -arm.history.since(start)["e_T"]
        assert PUSH[axis] / yielded[-1, axis] == pytest.approx(K[axis], rel=0.03)
        response = yielded @ to_modes.T
        final = to_modes @ (wrench / K)
        m = int(np.argmax(np.abs(final)))
        assert 0.6 < ratio_of(response[:, m] / final[m], frequencies[m]) < 0.8
        arm.wait(0.6)


@pytest.mark.parametrize("projector", ["dynamic", "kinematic"])
def test_a_change_of_posture_leaves_the_tool_alone(make_panda, projector):
    arm = make_panda(laws={"cartesian_impedance": {"projector": projector}})
    arm.activate("cartesian_impedance")
    arm.wait(0.2)
    start, q, X_WT = arm.time, arm.tick.q, arm.tick.X_WT
    posture = q + np.array([0.4, 0.0, -0.4, 0.0, 0.3, 0.0, -0.2])
    arm.set("laws.cartesian_impedance.posture", posture)
    arm.wait(3.0)
    moved = arm.history.since(start)["X_WT"][:, :3] - X_WT[:3]
    assert np.linalg.norm(moved, axis=1).max() < 2e-4
    assert np.abs(arm.tick.q - q).max() > 0.25


def test_the_target_turns_past_180_degrees(make_panda):
    q = np.array(PANDA.home)
    q[6] = -1.6
    reference = {"max_speed": (0.1, 1.5), "max_acceleration": (0.5, 4.0)}
    arm = make_panda(q=q, reference=reference)
    arm.activate("cartesian_impedance")
    arm.wait(0.1)
    start = arm.time
    arm.move_by([0, 0, 0, 0, 0, np.pi - 0.1], frame="tool", wait=False)
    arm.wait(1.0)
    arm.move_by([0, 0, 0, 0, 0, 0.2], frame="tool", wait=False)
    arm.wait(2.5)
    rows = arm.history.since(start)
    # the tool made a full turn, mostly with the last joint
    assert abs(arm.tick.q[6] - q[6]) > 3.15
    assert arm.tick.ref_done
    assert np.linalg.norm(arm.tick.e_T[3:]) < 0.02
    assert np.abs(np.diff(rows["tau_law"], axis=0)).max() < 0.5
    assert np.linalg.norm(rows["v_WT_W"][:, 3:], axis=1).max() < 2.0
    assert not rows["clipped"].any()


def test_an_error_of_180_degrees_keeps_its_direction(make_panda):
    arm = make_panda()
    arm.activate("cartesian_impedance")
    arm.wait(0.3)
    rows = arm.history.since(arm.time - 0.0015)
    prev, tick = rows[:1].copy(), rows[1:2].copy()
    model = ArmModel(description=PANDA, model=build_pinocchio(PANDA, Tool()))
    law = CartesianImpedance(CartesianImpedanceConfig(), model)
    torques, angles = [], []
    for angle in np.radians(np.arange(0.0, 290.0, 0.5)):
        turn = np.array([0, 0, 0, 0.6 * angle, 0.0, 0.8 * angle])
        pose_step(tick["X_WT"][0], turn, tick["X_WR"][0])
        law.update(prev, tick)
        torques.append(tick["tau_law"][0].copy())
        angles.append(np.linalg.norm(tick["e_T"][0, 3:]))
        prev, tick = tick, prev
    # the direction is kept up to 270°, and reverses there without a step of the torque
    assert np.degrees(max(angles)) == pytest.approx(270.0, abs=1.0)
    assert np.degrees(angles[-1]) == pytest.approx(70.5, abs=1.0)
    assert np.abs(np.diff(torques, axis=0)).max() < 0.5
