"""The quadratic program's solver."""

import numpy as np
from proxsuite import proxqp

from pliant.errors import PliantError
from pliant.laws.task_space_inverse_dynamics.kernel import solve_free
from pliant.spatial import Array

_ACCURACY = 1e-9
_MOST_ITERATIONS = 500
_SOLVED = proxqp.QPSolverOutput.PROXQP_SOLVED

# What giving way to a limit of position or velocity by 1 rad/s² costs, beside the tool's error.
_RELAXED_WEIGHT = 1e4

# To this a solution is rounded, rad/s²: where the solver's memory happens to lie shows in the last
# bits of its sums, and nowhere else.
_GRID = 2.0**-24

# A bound that never binds.
_FAR = 1e20


class Program:
    """min ½·xᵀ·H·x + gᵀ·x  within  low ≤ C·x ≤ high, the lower half of C being the identity.

    A solution depends on nothing but the problem: the solver begins anew every time, and scales
    every problem alike.

    Attributes:
        H: Symmetric, n×n; to be written before `solve`, as the others.
        g: n numbers.
        C: 2n×n.
        low: 2n numbers.
        high: 2n numbers.
    """

    def __init__(self, n: int) -> None:
        self._n = n
        self.H, self.g = np.eye(n), np.zeros(n)
        self.C = np.vstack([np.eye(n), np.eye(n)])
        self.low, self.high = np.full(2 * n, -1.0), np.full(2 * n, 1.0)
        self._strict = _new_solver(self.H, self.g, self.C, self.low, self.high)
        self._relaxed = _new_solver(*self._relax())

    def is_free(self, x: Array) -> bool:
        """Whether no bound binds; x is the solution then."""
        return solve_free(self.H, self.g, self.C, self.low, self.high, x)

    def solve(self) -> Array | None:
        """The solution; None if no x is within all bounds."""
        qp = self._strict
        qp.update(
            H=self.H,
            g=self.g,
            C=self.C,
            l=self.low,
            u=self.high,
            update_preconditioner=False,
        )
        qp.solve()
        return _rounded(qp.results.x) if qp.results.info.status == _SOLVED else None

    def solve_relaxed(self) -> Array:
        """The solution whose bounds on x give way by as little as possible; the others can be kept.

        Raises:
            PliantError: There is none all the same.
        """
        H, g, C, low, high = self._relax()
        qp = self._relaxed
        qp.update(H=H, g=g, C=C, l=low, u=high, update_preconditioner=False)
        qp.solve()
        if qp.results.info.status != _SOLVED:
            raise PliantError(
                f"the quadratic program was not solved: {qp.results.info.status.name}"
            )
        return _rounded(qp.results.x[: self._n])

    def _relax(self) -> tuple[Array, Array, Array, Array, Array]:
        """The problem with one more unknown: by how much the bounds on x give way."""
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


def _rounded(x: Array) -> Array:
    return np.round(x / _GRID) * _GRID


def _new_solver(H: Array, g: Array, C: Array, low: Array, high: Array) -> proxqp.dense.QP:
    qp = proxqp.dense.QP(len(g), 0, len(low))
    qp.settings.eps_abs = _ACCURACY
    qp.settings.eps_rel = 0.0
    qp.settings.max_iter = _MOST_ITERATIONS
    qp.settings.initial_guess = proxqp.InitialGuess.NO_INITIAL_GUESS
    qp.init(H, g, None, None, C, low, high)
    return qp
