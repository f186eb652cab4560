"""The quadratic program of task-space inverse dynamics, with random and with real problems."""

import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from proxsuite import proxqp

from pliant.arms import Tool, load_arm
from pliant.arms.arm_model import ArmModel
from pliant.arms.pinocchio import build_pinocchio
from pliant.errors import ArmStopped, PliantError
from pliant.laws import TaskSpaceInverseDynamics
from pliant.laws.task_space_inverse_dynamics import TaskSpaceConfig
from pliant.laws.task_space_inverse_dynamics.kernel import BOUND
from pliant.laws.task_space_inverse_dynamics.quadratic_program import Program
from pliant.numerics.quadratic import STEPS_PER_UNKNOWN

from ..numerics.quadratic_problems import N, assert_optimal, by_proxsuite, random_problem

PANDA = load_arm("panda")


def hard_program(steps_per_unknown: int) -> Program:
    """A feasible program with several active bounds, and the number of steps it may take."""
    program = Program(N, steps_per_unknown)
    values = (program.H, program.g, program.C, program.low, program.high)
    for to, value in zip(values, random_problem(1), strict=True):
        to[:] = value
    return program


def test_a_program_that_takes_too_many_steps_is_not_solved():
    assert hard_program(STEPS_PER_UNKNOWN).solve() is not None
    assert hard_program(0).solve() is None
    with pytest.raises(PliantError, match="not solved in 0 steps"):
        hard_program(0).solve_relaxed()


def test_a_law_whose_program_is_not_solved_brings_the_arm_to_rest(make_panda):
    weak = TaskSpaceConfig(torque_share=0.07).model_dump()
    arm = make_panda(
        laws={"task_space_inverse_dynamics": weak}, reference={"circle": {"period": 1.0}}
    )
    arm.activate("task_space_inverse_dynamics")
    arm.circle()
    arm.wait(0.2)
    assert np.abs(arm.tick.qd).max() > 0.05
    laws = arm._session._loop.pipeline.laws
    (law,) = [law for law in laws if law.name == "task_space_inverse_dynamics"]
    law._program = Program(N, 0)
    # a program in which a limit is active is not solved in no steps
    with pytest.raises(ArmStopped, match="quadratic program was not solved in 0 steps"):
        arm.wait(2.0)
    arm.wait(1.0)
    assert np.abs(arm.tick.qd).max() < 1e-2


def test_the_law_runs_where_neither_proxsuite_nor_scipy_is_installed():
    program = """
import sys
class Missing:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in ("proxsuite", "scipy"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
import pliant
arm = pliant.Arm("sim:panda")
arm.activate("task_space_inverse_dynamics")
arm.circle()
arm.wait(0.05)
print(arm.law)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["task_space_inverse_dynamics"], done.stderr


def at_limits(make_panda) -> Iterator[tuple[np.ndarray, TaskSpaceConfig]]:
    """Ticks of an arm driven into a joint stop, and of one at its torque limits."""
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
    # both torques and accelerations were at their limits
    assert kinds[:N].any()
    assert kinds[N:].any()


def test_an_infeasible_program_relaxes_the_bounds_on_x():
    program = Program(N)
    program.C[:N] = np.diag(np.arange(1.0, N + 1.0))
    program.low[:N], program.high[:N] = 2.0, 3.0
    program.low[N:], program.high[N:] = -1.0, 1.0
    assert program.solve() is None
    x = program.solve_relaxed()
    # the first bound requires at least 2, the other allows at most 1
    assert x[0] == pytest.approx(2.0)
    assert (program.C[:N] @ x > 2.0 - 1e-9).all()
    assert np.abs(x[1:]).max() <= 2.0
    assert not program.active.any()
