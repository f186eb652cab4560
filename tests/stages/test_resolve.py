"""Inverse kinematics by damped least squares: its algebra, and the absence of drift."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant import Arm
from pliant.arms.chain import chain_row
from pliant.arms.description import load_arm
from pliant.arms.pinocchio import build_pinocchio
from pliant.arms.tool import Tool
from pliant.numerics.linalg import cholesky, cholesky_solve
from pliant.numerics.spatial import pose_error
from pliant.params import params_row
from pliant.stages.model import model_kernel
from pliant.stages.resolve import ResolveConfig, gram, resolve_kernel, smallest_singular
from pliant.tick import Rows, new_rows

CHAIN = chain_row(build_pinocchio(load_arm("ur5e"), Tool()))
SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS)
def test_cholesky_agrees_with_numpy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(6, 7))
    A = np.zeros((6, 6))
    gram(J, A)
    np.testing.assert_allclose(np.tril(A), np.tril(J @ J.T), atol=1e-11)
    cholesky(A)
    np.testing.assert_allclose(np.tril(A), np.linalg.cholesky(J @ J.T), rtol=1e-6, atol=1e-9)
    b = rng.normal(size=6)
    x = b.copy()
    cholesky_solve(A, x)
    np.testing.assert_allclose(J @ J.T @ x, b, atol=1e-7 * max(1.0, np.abs(x).max()))


def solved(q: np.ndarray, error_T: np.ndarray, config: ResolveConfig) -> Rows:
    """The resolve columns for an arm at q whose tool has an error in its axes."""
    prev, tick = new_rows(6), new_rows(6)
    prev["q_sent"] = tick["q"] = q
    model_kernel(prev, tick, CHAIN)
    tick["law"] = 0
    tick["X_WT_cmd"] = tick["X_WT_sent"]
    tick["X_WT_cmd"][0, :3] += error_T[:3]
    for _ in range(20):
        resolve_kernel(prev, tick, params_row(config))
        prev["u_min"], prev["sigma_min"] = tick["u_min"], tick["sigma_min"]
    return tick


@pytest.mark.parametrize("seed", range(30))
def test_the_singular_value_agrees_with_numpy(seed: int) -> None:
    q = np.random.default_rng(seed).uniform(-3, 3, 6)
    tick = solved(q, np.zeros(6), ResolveConfig())
    U, s, _ = np.linalg.svd(tick["J_sent_W"][0])
    assert tick["sigma_min"][0] == pytest.approx(s[-1], rel=1e-3, abs=2e-6)
    if s[-1] < 0.5 * s[-2]:
        assert abs(U[:, -1] @ tick["u_min"][0]) == pytest.approx(1.0, abs=1e-3)


def test_the_estimate_follows_when_started_from_the_last_direction() -> None:
    """Along a joint motion, three steps per tick are practically exact."""
    arm = Arm("sim:ur5e")
    arm.activate("position")
    arm.move_by([0.3, 0.1, -0.1, 0.2, 0.1, 0.5], wait=False)
    arm.wait(4.0)
    rows = arm.history.since(0.1)
    exact = np.linalg.svd(rows["J_sent_W"], compute_uv=False)[:, -1]
    np.testing.assert_allclose(rows["sigma_min"], exact, rtol=1e-6)


def test_a_step_is_damped_least_squares() -> None:
    q = np.array([0.1, -1.0, 0.05, -1.2, -1.5, 0.3])
    error = np.array([1e-4, -2e-4, 3e-4, 0, 0, 0])
    config = ResolveConfig(near_singular=0.1, max_damping=0.04)
    tick = solved(q, error, config)
    J = tick["J_sent_W"][0]
    sigma = np.linalg.svd(J, compute_uv=False)[-1]
    damping = 0.04**2 * (1 - (sigma / 0.1) ** 2)
    assert 0.0 < sigma < 0.1
    expected = J.T @ np.linalg.solve(J @ J.T + damping * np.eye(6), error)
    np.testing.assert_allclose(tick["q_set"][0] - q, expected, rtol=1e-6, atol=1e-12)


def test_far_from_singularities_there_is_no_damping() -> None:
    q = np.array(load_arm("ur5e").home)
    error = np.array([1e-4, -2e-4, 3e-4, 0, 0, 0])
    tick = solved(q, error, ResolveConfig())
    assert tick["dls_damping"][0] == 0.0
    np.testing.assert_allclose(
        tick["J_sent_W"][0] @ (tick["q_set"][0] - q), error, rtol=1e-6, atol=1e-12
    )


def test_an_exact_singularity_gives_finite_steps() -> None:
    q = np.array([0.0, -1.0, 0.0, -1.0, 0.0, 0.0])
    tick = solved(q, np.full(6, 1e-3), ResolveConfig())
    assert np.isfinite(tick["q_set"]).all()
    assert np.abs(tick["q_set"][0] - q).max() < 0.05
    J = np.zeros((6, 6))
    A, u = np.zeros((6, 6)), np.ones(6)
    gram(J, A)
    cholesky(A)
    assert smallest_singular(A, u) == pytest.approx(0.0, abs=2e-6)


def test_nothing_drifts_over_a_long_motion() -> None:
    """Over ten rounds of a curve the joints sent are those of the commanded pose."""
    arm = Arm("sim:ur5e", history=60.0)
    start = arm.tick.X_WT_sent
    arm.activate("position")
    for k in range(300):
        phase = 2 * np.pi * k / 30
        turn = 0.2 * np.sin(phase / 2)
        arm.jog([0.08 * np.cos(phase), 0.08 * np.sin(phase), 0.03 * np.sin(phase), turn, 0, -turn])
        arm.wait(0.1)
    arm.move_to(start, wait=False)
    arm.wait_until(lambda tick: tick.ref_done == 1)
    arm.wait(0.1)
    rows = arm.history.since(0.0)
    assert rows["dls_damping"].max() == 0.0
    off = np.empty(6)
    for k in range(len(rows) - 1):
        pose_error(rows["X_WT_sent"][k + 1], rows["X_WT_cmd"][k], off)
        assert np.abs(off).max() < 5e-6
    np.testing.assert_allclose(arm.tick.X_WT_sent, start, atol=1e-12)
