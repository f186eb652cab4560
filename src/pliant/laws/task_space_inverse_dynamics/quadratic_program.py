"""The quadratic program and its solvers."""

import numpy as np

from pliant.errors import PliantError
from pliant.numerics.quadratic import EMPTY, SOLVED, solve_at, solve_bounded
from pliant.numerics.spatial import Array

# After this many active-set steps, many times the usual number, proxsuite solves the program.
_MOST_STEPS = 60

_ACCURACY = 1e-9
_MOST_ITERATIONS = 500
# A smaller multiplier counts as zero.
_NONZERO = 1e-8

# Cost of exceeding a limit of position or velocity by 1 rad/s², relative to the error of the tool.
_RELAXED_WEIGHT = 1e4

# A bound that is never active.
_FAR = 1e20


class Program:
    """min ½·xᵀ·H·x + gᵀ·x  within  low ≤ C·x ≤ high, where the lower half of C is the identity.

    The solution is computed from the problem and the set of active bounds, so it does not depend on
    the solver that found this set.

    Attributes:
        H: Symmetric, n×n; the caller writes it and the others before `solve`.
        g: n numbers.
        C: 2n×n.
        low: 2n numbers.
        high: 2n numbers.
        active: Active bounds, +1 upper, −1 lower, 0 neither: a guess, after `solve` the result.
    """

    def __init__(self, n: int, most_steps: int = _MOST_STEPS) -> None:
        """Set up a program.

        Args:
            n: Number of unknowns.
            most_steps: Number of active-set steps after which proxsuite solves the program.
        """
        self._n = n
        self._most_steps = most_steps
        self.H, self.g = np.eye(n), np.zeros(n)
        self.C = np.vstack([np.eye(n), np.eye(n)])
        self.low, self.high = np.full(2 * n, -1.0), np.full(2 * n, 1.0)
        self.active = np.zeros(2 * n)
        self._strict = _Solver(self.H, self.g, self.C, self.low, self.high)
        self._relaxed = _Solver(*self._relax())

    def solve(self) -> Array | None:
        """The solution; None if the program is infeasible."""
        problem = (self.H, self.g, self.C, self.low, self.high)
        return self._best(problem, self.active, self._strict)

    def solve_relaxed(self) -> Array:
        """The solution with bounds on x relaxed as little as possible; the others stay hard.

        Raises:
            PliantError: The relaxed program is infeasible too.
        """
        self.active[:] = 0.0
        x = self._best(self._relax(), np.zeros(3 * self._n), self._relaxed)
        if x is None:
            raise PliantError("the quadratic program has no solution within the torque limits")
        return x[: self._n]

    def _best(
        self,
        problem: tuple[Array, Array, Array, Array, Array],
        active: Array,
        solver: "_Solver",
    ) -> Array | None:
        x = np.empty(len(problem[1]))
        status = solve_bounded(*problem, self._most_steps, active, x)
        if status == SOLVED:
            return x
        if status == EMPTY or not solver.find_active(*problem, active):
            return None
        solve_at(*problem, active, x)
        return x

    def _relax(self) -> tuple[Array, Array, Array, Array, Array]:
        """The problem with one more unknown: the amount by which the bounds on x are relaxed."""
        n = self._n
        H, g = np.zeros((n + 1, n + 1)), np.zeros(n + 1)
        H[:n, :n], H[n, n], g[:n] = self.H, _RELAXED_WEIGHT, self.g
        C = np.zeros((3 * n, n + 1))
        C[: 2 * n, :n] = self.C
        C[2 * n :, :n] = self.C[n:]
        C[n : 2 * n, n], C[2 * n :, n] = 1.0, -1.0
        low = np.concatenate([self.low, np.full(n, -_FAR)])
        high = np.concatenate([self.high[:n], np.full(n, _FAR), self.high[n:]])
        return H, g, C, low, high


class _Solver:
    """proxsuite, without warm start and with fixed scaling, so that results are reproducible."""

    def __init__(self, H: Array, g: Array, C: Array, low: Array, high: Array) -> None:
        # importing takes a third of a second, and only torque arms need it
        from proxsuite import proxqp

        self._solved = proxqp.QPSolverOutput.PROXQP_SOLVED
        self._qp = proxqp.dense.QP(len(g), 0, len(low))
        self._qp.settings.eps_abs = _ACCURACY
        self._qp.settings.eps_rel = 0.0
        self._qp.settings.max_iter = _MOST_ITERATIONS
        self._qp.settings.initial_guess = proxqp.InitialGuess.NO_INITIAL_GUESS
        self._qp.init(H, g, None, None, C, low, high)

    def find_active(
        self, H: Array, g: Array, C: Array, low: Array, high: Array, active: Array
    ) -> bool:
        """Write the active bounds of the solution; False if there is none."""
        qp = self._qp
        qp.update(H=H, g=g, C=C, l=low, u=high, update_preconditioner=False)
        qp.solve()
        if qp.results.info.status != self._solved:
            return False
        active[:] = np.where(np.abs(qp.results.z) > _NONZERO, np.sign(qp.results.z), 0.0)
        return True
