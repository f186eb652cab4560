"""Binary frames: the subscribed columns of ticks, packed."""

import struct
from itertools import pairwise
from typing import Any, cast

import numpy as np

from pliant.console.server.facts import ColumnType
from pliant.console.server.messages import FRAME_HEADER, Schema, SchemaColumn
from pliant.tick import ByteArray, Rows, columns, tick_dtype

CELL = 8
"""Bytes of a number; text is padded to a multiple of it."""

_DECLARED = {name: (declared, annotation) for name, declared, annotation in columns()}
_HEADER = struct.Struct(FRAME_HEADER)


class Subscription:
    """A selection of columns that one or several pages receive.

    Attributes:
        schema: The layout of its frames.
    """

    def __init__(self, number: int, n: int, wanted: tuple[str, ...], every: int) -> None:
        """Lay out the rows.

        Args:
            number: The schema's id.
            n: Number of joints.
            wanted: Names of columns; the schema lists those that do not exist.
            every: Send only ticks whose number is a multiple of this.
        """
        known = [name for name in dict.fromkeys(wanted) if name in _DECLARED]
        self._names = known
        self._every = every
        self._dtype = np.dtype([(name, *_cells(name, n)) for name in known])
        self.schema = Schema(
            id=number,
            stride=self._dtype.itemsize,
            every=every,
            columns=[self._described(name) for name in known],
            unknown=[name for name in wanted if name not in _DECLARED],
        )

    def frames(self, rows: Rows, missed: int) -> list[bytes]:
        """The frames for a batch of ticks: one, or more if ticks are missing inside the batch."""
        if self._every > 1:
            rows = rows[rows["k"] % self._every == 0]
        if not rows.size or not self._names:
            return []
        gaps = np.flatnonzero(np.diff(rows["k"]) != self._every) + 1
        parts = pairwise([0, *gaps.tolist(), rows.size])
        return [self._frame(rows[start:end], missed if start == 0 else 0) for start, end in parts]

    def _frame(self, rows: Rows, missed: int) -> bytes:
        packed = np.empty(rows.size, self._dtype)
        for name in self._names:
            packed[name] = rows[name]
        first = rows["k"].item(0)
        head = _HEADER.pack(self.schema.id, rows.size, first, min(missed, 2**32 - 1), self._every)
        return head + packed.tobytes()

    def _described(self, name: str) -> SchemaColumn:
        declared, annotation = _DECLARED[name]
        dtype, offset, *_ = cast(dict[str, Any], self._dtype.fields)[name]
        return SchemaColumn(
            name=name,
            type=column_type(annotation),
            shape=list(dtype.shape),
            unit=declared.unit,
            doc=declared.doc,
            offset=offset,
            size=dtype.itemsize // CELL,
        )


def column_type(annotation: object) -> ColumnType:
    """The type of a column for a page."""
    return "text" if annotation is ByteArray else "number"


def _cells(name: str, n: int) -> tuple[str, tuple[int, ...]]:
    """The type and shape of a column in a packed row."""
    dtype = tick_dtype(n)[name]
    return ("u1" if dtype.base == np.uint8 else "<f8"), dtype.shape
