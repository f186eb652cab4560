"""The quadratic program, strict and relaxed."""

import numpy as np

from pliant.errors import PliantError
from pliant.numerics.quadratic import EMPTY, SOLVED, STEPS_PER_UNKNOWN, solve_bounded
from pliant.numerics.spatial import Array

# Cost of exceeding a limit of position or velocity by 1 rad/s², relative to the error of the tool.
_RELAXED_WEIGHT = 1e4

# A bound that is never active.
_FAR = 1e20


class Program:
    """min ½·xᵀ·H·x + gᵀ·x  within  low ≤ C·x ≤ high, where the lower half of C is the identity.

    The solution is computed from the problem and the set of active bounds, so it does not depend on
    the guess from which this set was found.

    Attributes:
        H: Symmetric, n×n; the caller writes it and the others before `solve`.
        g: n numbers.
        C: 2n×n.
        low: 2n numbers.
        high: 2n numbers.
        active: Active bounds, +1 upper, −1 lower, 0 neither: a guess, after `solve` the result.
    """

    def __init__(self, n: int, steps_per_unknown: int = STEPS_PER_UNKNOWN) -> None:
        """Set up a program.

        Args:
            n: Number of unknowns.
            steps_per_unknown: How many active-set steps a solution may take, per unknown.
        """
        self._n = n
        self._steps_per_unknown = steps_per_unknown
        self.H, self.g = np.eye(n), np.zeros(n)
        self.C = np.vstack([np.eye(n), np.eye(n)])
        self.low, self.high = np.full(2 * n, -1.0), np.full(2 * n, 1.0)
        self.active = np.zeros(2 * n)

    def solve(self) -> Array | None:
        """The solution; None if the program is infeasible, or takes too many steps."""
        x = np.empty(self._n)
        problem = (self.H, self.g, self.C, self.low, self.high)
        return x if self._solve(problem, self.active, x) == SOLVED else None

    def solve_relaxed(self) -> Array:
        """The solution with bounds on x relaxed as little as possible; the others stay hard.

        Raises:
            PliantError: The relaxed program is infeasible too, or takes too many steps.
        """
        self.active[:] = 0.0
        x = np.empty(self._n + 1)
        status = self._solve(self._relax(), np.zeros(3 * self._n), x)
        if status == EMPTY:
            raise PliantError("the quadratic program has no solution within the torque limits")
        if status != SOLVED:
            raise PliantError(
                f"the quadratic program was not solved in {self._steps_per_unknown * x.size} steps"
            )
        return x[: self._n]

    def _solve(
        self, problem: tuple[Array, Array, Array, Array, Array], active: Array, x: Array
    ) -> int:
        return solve_bounded(*problem, self._steps_per_unknown * x.size, active, x)

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
