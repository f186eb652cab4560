"""Small symmetric systems, for kernels."""

from math import sqrt

from pliant.kernels import kernel
from pliant.spatial import Array

REGULAR = 1e-12
"""Keeps a factorisation defined at an exact singularity; far below any damping that acts."""


@kernel
def cholesky(A: Array) -> None:
    """The lower factor of a positive definite matrix, in place of its lower triangle."""
    n = A.shape[0]
    for j in range(n):
        for k in range(j):
            A[j, j] -= A[j, k] * A[j, k]
        A[j, j] = sqrt(max(A[j, j], REGULAR))
        for i in range(j + 1, n):
            for k in range(j):
                A[i, j] -= A[i, k] * A[j, k]
            A[i, j] /= A[j, j]


@kernel
def cholesky_solve(L: Array, x: Array) -> None:
    """Replace b in x by the solution of L·Lᵀ·x = b."""
    n = L.shape[0]
    for i in range(n):
        for k in range(i):
            x[i] -= L[i, k] * x[k]
        x[i] /= L[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            x[i] -= L[k, i] * x[k]
        x[i] /= L[i, i]
