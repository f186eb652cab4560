"""Quadratic programs for tests, and their solution by proxsuite."""

import numpy as np
from proxsuite import proxqp

N = 7
Problem = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def random_problem(seed: int) -> Problem:
    """A tool's and a posture's task, torques and accelerations within random bounds.

    Every fourth may have no solution.
    """
    rng = np.random.default_rng(seed)
    J, B = rng.normal(size=(6, N)), rng.normal(size=(N, N))
    H = J.T @ J + 10.0 ** rng.uniform(-4.0, 0.0) * np.eye(N)
    C = np.vstack([0.2 * B @ B.T + np.diag(10.0 ** rng.uniform(-2.0, 0.0, N)), np.eye(N)])
    middle = C @ (5.0 * rng.normal(size=N))
    if seed % 4 == 0:
        middle += 2.0 * rng.normal(size=2 * N)
    below, above = rng.uniform(0.0, 10.0, (2, 2 * N))
    return H, 10.0 ** rng.uniform(0.0, 2.0) * rng.normal(size=N), C, middle - below, middle + above


def by_proxsuite(problem: Problem) -> proxqp.dense.QP:
    H, g, C, low, high = problem
    qp = proxqp.dense.QP(N, 0, 2 * N)
    qp.settings.eps_abs, qp.settings.eps_rel = 1e-12, 0.0
    qp.settings.check_duality_gap = True
    qp.settings.eps_duality_gap_abs, qp.settings.eps_duality_gap_rel = 1e-10, 0.0
    qp.settings.max_iter = 1000
    qp.init(H, g, None, None, C, low, high)
    qp.solve()
    return qp


def assert_optimal(problem: Problem, x: np.ndarray, active: np.ndarray) -> None:
    """Assert the optimality conditions: feasible, at the active bounds, positive multipliers."""
    H, g, C, low, high = problem
    assert np.maximum(low - C @ x, C @ x - high).max() < 1e-8
    binds = active != 0.0
    multipliers, *_ = np.linalg.lstsq(C[binds].T, -(H @ x + g), rcond=None)
    np.testing.assert_allclose(H @ x + g + C[binds].T @ multipliers, 0.0, atol=1e-8)
    assert (multipliers * active[binds] > -1e-8).all()
