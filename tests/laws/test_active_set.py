"""The exact solver of small quadratic programs, held against proxsuite."""

from collections.abc import Iterator

import numpy as np
import pytest
from proxsuite import proxqp
from scipy.optimize import linprog

from pliant.arms import Tool, load_arm
from pliant.arms.model import ArmModel
from pliant.arms.pinocchio import build_pinocchio
from pliant.laws import TaskSpaceInverseDynamics
from pliant.laws.task_space_inverse_dynamics import TaskSpaceConfig
from pliant.laws.task_space_inverse_dynamics.active_set import EMPTY, SOLVED, solve_bounded
from pliant.laws.task_space_inverse_dynamics.kernel import BOUND
from pliant.laws.task_space_inverse_dynamics.program import Program

N = 7
ENOUGH = 60
PANDA = load_arm("panda")

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


def solve(problem: Problem, active: np.ndarray) -> tuple[int, np.ndarray]:
    x = np.empty(N)
    return solve_bounded(*problem, ENOUGH, active, x), x


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


def is_empty(problem: Problem) -> bool:
    """Whether a linear program finds no x either; proxsuite rather goes on until told to stop."""
    _, g, C, low, high = problem
    A, b = np.vstack([C, -C]), np.concatenate([high, -low])
    return linprog(0.0 * g, A, b, bounds=(None, None)).status == 2


def assert_optimal(problem: Problem, x: np.ndarray, active: np.ndarray) -> None:
    """Within the bounds, at the active ones, and these push."""
    H, g, C, low, high = problem
    assert np.maximum(low - C @ x, C @ x - high).max() < 1e-8
    binds = active != 0.0
    multipliers, *_ = np.linalg.lstsq(C[binds].T, -(H @ x + g), rcond=None)
    np.testing.assert_allclose(H @ x + g + C[binds].T @ multipliers, 0.0, atol=1e-8)
    assert (multipliers * active[binds] > -1e-8).all()


def test_random_problems_are_solved_as_by_proxsuite():
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


def test_where_it_begins_does_not_matter_to_the_last_bit():
    rng = np.random.default_rng(0)
    for seed in range(1, 400, 2):
        problem, active = random_problem(seed), np.zeros(2 * N)
        _, x = solve(problem, active)
        guess = rng.integers(-1, 2, 2 * N).astype(float)
        status, again = solve(problem, guess)
        assert status == SOLVED
        assert again.tobytes() == x.tobytes()
        assert guess.tobytes() == active.tobytes()


def test_what_proxsuite_finds_comes_out_to_the_same_bits():
    exact, asked = Program(N), Program(N, most_steps=0)
    for seed in range(1, 200, 2):
        for program in (exact, asked):
            values = (program.H, program.g, program.C, program.low, program.high)
            for to, value in zip(values, random_problem(seed), strict=True):
                to[:] = value
        x, other = exact.solve(), asked.solve()
        assert x is not None
        assert other is not None
        assert other.tobytes() == x.tobytes()


def at_limits(make_panda) -> Iterator[tuple[np.ndarray, TaskSpaceConfig]]:
    """Ticks of an arm driven into a joint stop, and of one whose torque limits bind."""
    q = np.array(PANDA.home)
    q[3] = -2.9
    arm = make_panda(q=q, reference={"circle": {"period": 1.0, "plane": "xy"}})
    arm.activate("task_space_inverse_dynamics")
    arm.circle()
    arm.wait(1.5)
    yield arm.history.since(0.06), TaskSpaceConfig()
    weak = TaskSpaceConfig(torque_share=0.07)
    laws = {"task_space_inverse_dynamics": weak.model_dump()}
    arm = make_panda(laws=laws, reference={"circle": {"period": 1.0}})
    arm.activate("task_space_inverse_dynamics")
    arm.circle()
    arm.wait(1.5)
    yield arm.history.since(0.06), weak


def test_the_problems_of_an_arm_at_its_limits(make_panda):
    model = ArmModel(description=PANDA, model=build_pinocchio(PANDA, Tool()))
    checked, kinds = 0, np.zeros(2 * N)
    for rows, config in at_limits(make_panda):
        law = TaskSpaceInverseDynamics(config, model)
        program = law._program
        for k in np.flatnonzero(rows["law_limited"] & BOUND)[1:]:
            tick = rows[k : k + 1].copy()
            tick["tau_law"], tick["law_state"] = np.nan, np.nan
            law.update(rows[k - 1 : k].copy(), tick)
            assert tick["tau_law"].tobytes() == rows["tau_law"][k].tobytes()
            assert tick["law_state"].tobytes() == rows["law_state"][k].tobytes()
            problem = (program.H, program.g, program.C, program.low, program.high)
            x = program.solve()
            assert x is not None
            assert_optimal(problem, x, program.active)
            kinds += np.abs(program.active)
            other = by_proxsuite(problem).results
            if other.info.status == proxqp.QPSolverOutput.PROXQP_SOLVED:
                np.testing.assert_allclose(x, other.x, rtol=1e-8, atol=1e-8)
                checked += 1
    assert checked > 1000
    # torques were at their limits, and accelerations
    assert kinds[:N].any()
    assert kinds[N:].any()


def test_where_no_x_is_within_all_bounds_those_on_x_give_way():
    program = Program(N)
    program.C[:N] = np.diag(np.arange(1.0, N + 1.0))
    program.low[:N], program.high[:N] = 2.0, 3.0
    program.low[N:], program.high[N:] = -1.0, 1.0
    assert program.solve() is None
    x = program.solve_relaxed()
    # the first asks for 2 at least, where 1 is allowed
    assert x[0] == pytest.approx(2.0)
    assert (program.C[:N] @ x > 2.0 - 1e-9).all()
    assert np.abs(x[1:]).max() <= 2.0
    assert not program.active.any()
