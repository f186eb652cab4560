"""The force-controlled subspace: the first n rows of an orthonormal Tr."""

from pliant.numerics.force_frame import from_frame
from pliant.numerics.kernels import kernel
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import Array


@kernel
def along(Tr: Array, i: int, x: Array) -> float:
    """The component of x along row i of Tr."""
    s = 0.0
    for j in range(6):
        s += Tr[i, j] * x[j]
    return s


@kernel
def add_along(Tr: Array, i: int, amount: float, out: Array) -> None:
    """Add a vector of a given length along row i of Tr."""
    for j in range(6):
        out[j] += Tr[i, j] * amount


@kernel
def project(Tr: Array, n_af: int, force_part: bool, x: Array, out: Array) -> None:
    """The part of x in the force-controlled subspace, or in its complement; out must not be x."""
    first, end = (0, n_af) if force_part else (n_af, 6)
    out[:] = 0.0
    for i in range(first, end):
        add_along(Tr, i, along(Tr, i, x), out)


@kernel
def accelerate(Tr: Array, n: int, M: Array, F_r: Array) -> None:
    """Replace the first n entries of F_r by the acceleration along the first n rows of Tr.

    Solves (S·Tr·M·Trᵀ·Sᵀ)·a = F: the apparent inertia along these rows while the others are held.
    The same rows of the full inverse would be too light for rows oblique to the axes of M, so that
    D·dt/M <= 1 along the axes of the tool would no longer bound it along the rows. If no row is
    held, the two are equal, and the full inverse is faster.
    """
    if n == 6:
        a = scratch(6)
        a[:] = 0.0
        for i in range(6):
            add_along(Tr, i, F_r[i], a)
        for j in range(6):
            a[j] /= M[j]
        for i in range(6):
            F_r[i] = along(Tr, i, a)
        return
    # solve by LDLᵀ in place: B holds L·D, later L, below the diagonal, and 1/D on it
    B = scratch_matrix(6, 6)
    for i in range(n):
        for j in range(i + 1):
            B[i, j] = 0.0
            for k in range(6):
                B[i, j] += Tr[i, k] * M[k] * Tr[j, k]
        for j in range(i):
            for k in range(j):
                B[i, j] -= B[i, k] * B[j, k]
        for j in range(i):
            scaled = B[i, j] * B[j, j]
            B[i, i] -= scaled * B[i, j]
            B[i, j] = scaled
            F_r[i] -= scaled * F_r[j]
        B[i, i] = 1.0 / B[i, i]
    for i in range(n - 1, -1, -1):
        F_r[i] *= B[i, i]
        for k in range(i + 1, n):
            F_r[i] -= B[k, i] * F_r[k]


@kernel
def tool_rows(frame: int, X_WF: Array, X_WT: Array, Tr: Array, out: Array) -> None:
    """Write rows given in the axes of a frame in those of the tool."""
    for i in range(6):
        from_frame(frame, X_WF, X_WT, Tr[i], out[i])


@kernel
def drop_yielded(Tr_before: Array, n_before: int, Tr: Array, n_af: int, e_T: Array) -> None:
    """Drop the error along axes that were force-controlled and no longer are; rows in T."""
    yielded, off = scratch(6), scratch(6)
    project(Tr_before, n_before, True, e_T, yielded)
    project(Tr, n_af, False, yielded, off)
    for i in range(6):
        e_T[i] -= off[i]
