"""Scratch arrays behave as NumPy arrays while the kernel runs."""

import numpy as np

from pliant.numerics.kernels import kernel
from pliant.numerics.scratch import scratch, scratch_matrix


@kernel
def fill(start: float) -> float:
    """Work on scratch arrays, and return a checksum."""
    own = scratch(6)
    for i in range(6):
        own[i] = start + i
    return own.sum()


@kernel
def shapes(out: np.ndarray) -> tuple[int, int, int]:
    """Use every element of two vectors and two matrices while others do the same."""
    a, b, A, B = scratch(6), scratch(6), scratch_matrix(3, 4), scratch_matrix(3, 4)
    a[:] = 1.0
    b[:] = 2.0
    A[:, :] = 3.0
    for i in range(3):
        for j in range(4):
            B[i, j] = 10.0 * i + j
    total = 0.0
    for k in range(5):
        total += fill(100.0 * k)
    out[0], out[1], out[2] = a.sum(), b.sum(), A.sum()
    out[3:15] = B.ravel()
    out[15:19] = B[1]
    out[19] = total
    return a.size, A.shape[0], A.shape[1]


def test_scratch_arrays_do_not_overlap_and_have_their_shapes() -> None:
    out = np.zeros(20)
    assert shapes(out) == (6, 3, 4)
    rows = [[0.0, 1.0, 2.0, 3.0], [10.0, 11.0, 12.0, 13.0], [20.0, 21.0, 22.0, 23.0]]
    total = sum(6 * 100.0 * k + 15.0 for k in range(5))
    elements = [*rows[0], *rows[1], *rows[2], *rows[1]]
    np.testing.assert_array_equal(out, [6.0, 12.0, 36.0, *elements, total])


@kernel
def hand_on(values: np.ndarray, out: np.ndarray) -> None:
    """A called kernel may read and write a scratch array, also by slices."""
    for i in range(3):
        out[i] = 2.0 * values[i]


@kernel
def doubled(values: np.ndarray, out: np.ndarray) -> None:
    """Twice the second half of six numbers, through a scratch array."""
    work = scratch(6)
    work[:] = values
    hand_on(work[3:], work[:3])
    for i in range(3):
        out[i] = work[i]


def test_it_can_be_passed_to_another_kernel() -> None:
    out = np.zeros(3)
    doubled(np.arange(6.0), out)
    np.testing.assert_array_equal(out, [6.0, 8.0, 10.0])
