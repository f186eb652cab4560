"""Small symmetric linear systems, as kernels."""

from math import sqrt

from pliant.numerics.kernels import kernel
from pliant.numerics.spatial import Array

REGULAR = 1e-12
"""Regularisation of a factorisation at an exact singularity; far below any effective damping."""

# Share of the squared off-diagonal entries at which a matrix counts as diagonal.
_DIAGONAL = 1e-24
# Largest number of sweeps; five are usual.
_SWEEPS = 12


@kernel
def cholesky(A: Array) -> None:
    """Replace the lower triangle of a positive definite matrix by its Cholesky factor."""
    n = A.shape[0]
    for j in range(n):
        s = A[j, j]
        for k in range(j):
            s -= A[j, k] * A[j, k]
        pivot = sqrt(max(s, REGULAR))
        A[j, j] = pivot
        for i in range(j + 1, n):
            s = A[i, j]
            for k in range(j):
                s -= A[i, k] * A[j, k]
            A[i, j] = s / pivot


@kernel
def cholesky_solve(L: Array, x: Array) -> None:
    """Replace b in x by the solution of L·Lᵀ·x = b."""
    n = L.shape[0]
    for i in range(n):
        s = x[i]
        for k in range(i):
            s -= L[i, k] * x[k]
        x[i] = s / L[i, i]
    for i in range(n - 1, -1, -1):
        s = x[i]
        for k in range(i + 1, n):
            s -= L[k, i] * x[k]
        x[i] = s / L[i, i]


@kernel
def packed_entry(A: Array, i: int, j: int) -> float:
    """Entry i, j of a symmetric matrix whose lower triangle is packed by rows."""
    row, column = (i, j) if i >= j else (j, i)
    return A[row * (row + 1) // 2 + column]


@kernel
def symmetric_eigen(A: Array, U: Array) -> None:
    """Eigenvalues on the diagonal of A, in place, and eigenvectors in the columns of U, by Jacobi.

    Args:
        A: A symmetric matrix; becomes diagonal, up to rounding.
        U: Out: orthogonal, A = U·diag·Uᵀ.
    """
    n = A.shape[0]
    size = 0.0
    for i in range(n):
        for j in range(n):
            U[i, j] = 1.0 if i == j else 0.0
            size += A[i, j] * A[i, j]
    for _ in range(_SWEEPS):
        off = 0.0
        for i in range(n):
            for j in range(i):
                off += A[i, j] * A[i, j]
        if off <= _DIAGONAL * size:
            return
        for i in range(n - 1):
            for j in range(i + 1, n):
                _rotate_away(A, U, i, j)


@kernel
def _rotate_away(A: Array, U: Array, i: int, j: int) -> None:
    """Make A[i, j] zero by a rotation of the rows and columns i and j."""
    if A[i, j] == 0.0:
        return
    theta = 0.5 * (A[j, j] - A[i, i]) / A[i, j]
    t = 1.0 / (abs(theta) + sqrt(theta * theta + 1.0))
    t = t if theta >= 0.0 else -t
    c = 1.0 / sqrt(t * t + 1.0)
    s = t * c
    for k in range(A.shape[0]):
        x, y = A[k, i], A[k, j]
        A[k, i], A[k, j] = c * x - s * y, s * x + c * y
    for k in range(A.shape[0]):
        x, y = A[i, k], A[j, k]
        A[i, k], A[j, k] = c * x - s * y, s * x + c * y
        x, y = U[k, i], U[k, j]
        U[k, i], U[k, j] = c * x - s * y, s * x + c * y
