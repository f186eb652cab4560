"""How a column of the tick is declared: its stage, shape, unit and meaning."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]
ByteArray = NDArray[np.uint8]
Rows = np.ndarray
"""A one-row array of `tick_dtype(n)`."""

N = -1
"""Placeholder for the number of joints in the shape of a column."""

MOST_JOINTS = 16
"""The largest number of joints of an arm; a constant in `@kernel` functions."""

LAW_STATE_SIZE = 6 * MOST_JOINTS
"""Doubles in the block that holds the state of the active law."""

TEXT_SIZE = 120

MOST_REACTIONS = 8
"""Most conditions that can be armed at once."""
REACTION_SIZE = 19
"""Doubles in the block of one armed condition and its reaction."""


def copy_rows(rows: Rows, dtype: np.dtype | None = None) -> Rows:
    """A copy of contiguous rows, as another dtype if given; NumPy copies column by column."""
    return np.frombuffer(bytearray(rows.tobytes()), dtype or rows.dtype)


@dataclass(frozen=True, kw_only=True)
class Column:
    """Declaration of one column; its name is the attribute's."""

    stage: str
    shape: tuple[int, ...]
    unit: str
    doc: str


def column(stage: str, shape: tuple[int, ...], unit: str, doc: str) -> Any:
    """Declare a column; its scalar type comes from the annotation."""
    return Column(stage=stage, shape=shape, unit=unit, doc=doc)


def declared_columns(table: type) -> Iterator[tuple[str, Column, Any]]:
    """Name, declaration and annotated type of every column of a table class, in order."""
    for name, annotation in table.__annotations__.items():
        yield name, getattr(table, name), annotation


def table_dtype(table: type, n: int) -> np.dtype:
    """The record dtype of a table class for n joints."""
    scalars = {float: np.float64, int: np.int64, Array: np.float64, IntArray: np.int64}
    scalars[ByteArray] = np.uint8
    fields = []
    for name, declared, annotation in declared_columns(table):
        shape = tuple(n if size == N else size for size in declared.shape)
        fields.append((name, scalars[annotation], shape))
    # np.record, so that rows have attributes when the kernels run as plain Python
    return np.dtype((np.record, np.dtype(fields, align=True)))
