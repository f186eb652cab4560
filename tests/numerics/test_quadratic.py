"""The exact solver of small quadratic programs, compared with proxsuite."""

import numpy as np
from proxsuite import proxqp
from scipy.optimize import linprog

from pliant.numerics.quadratic import EMPTY, SOLVED, STEPS_PER_UNKNOWN, UNSURE, solve_bounded

from .quadratic_problems import N, Problem, assert_optimal, by_proxsuite, random_problem

ENOUGH = STEPS_PER_UNKNOWN * N


def solve(problem: Problem, active: np.ndarray, steps: int = ENOUGH) -> tuple[int, np.ndarray]:
    x = np.empty(N)
    return solve_bounded(*problem, steps, active, x), x


def is_empty(problem: Problem) -> bool:
    """Whether a linear program is infeasible too; proxsuite would iterate to its limit."""
    _, g, C, low, high = problem
    A, b = np.vstack([C, -C]), np.concatenate([high, -low])
    return linprog(0.0 * g, A, b, bounds=(None, None)).status == 2


def test_solutions_of_random_problems_agree_with_proxsuite():
    counts, empty, compared = np.zeros(N + 1, int), 0, 0
    for seed in range(1200):
        problem, active = random_problem(seed), np.zeros(2 * N)
        status, x = solve(problem, active)
        other = by_proxsuite(problem).results
        if status == EMPTY:
            assert other.info.status != proxqp.QPSolverOutput.PROXQP_SOLVED
            assert is_empty(problem)
            empty += 1
            continue
        assert status == SOLVED
        counts[np.count_nonzero(active)] += 1
        assert_optimal(problem, x, active)
        if other.info.status == proxqp.QPSolverOutput.PROXQP_SOLVED:
            np.testing.assert_allclose(x, other.x, atol=1e-8, err_msg=str(seed))
            compared += 1
    assert compared > 1000
    assert empty > 10
    assert (counts[2:] > 0).all()


def test_the_solution_does_not_depend_on_the_initial_active_set():
    rng = np.random.default_rng(0)
    for seed in range(1, 400, 2):
        problem, active = random_problem(seed), np.zeros(2 * N)
        _, x = solve(problem, active)
        guess = rng.integers(-1, 2, 2 * N).astype(float)
        status, again = solve(problem, guess)
        assert status == SOLVED
        assert again.tobytes() == x.tobytes()
        assert guess.tobytes() == active.tobytes()


def degenerate(seed: int) -> Problem:
    """A problem of round numbers in which many bounds meet in one point and some are equations."""
    rng = np.random.default_rng(seed)
    H, g, C, low, high = random_problem(seed)
    low, high = np.round(low), np.round(high)
    equal = rng.random(2 * N) < 0.1
    high[equal] = low[equal]
    return np.round(H, 1) + np.eye(N), np.round(g), np.round(C, 1), low, high


def test_a_third_of_the_steps_is_enough_also_for_degenerate_problems():
    rng = np.random.default_rng(3)
    solved = 0
    for seed in range(1000):
        for problem in (random_problem(seed), degenerate(seed)):
            guess = rng.integers(-1, 2, 2 * N).astype(float)
            status, x = solve(problem, guess, ENOUGH // 3)
            assert status != UNSURE
            if status == SOLVED:
                solved += 1
                assert (
                    np.maximum(problem[3] - problem[2] @ x, problem[2] @ x - problem[4]).max()
                    < 1e-7
                )
    assert solved > 1000
