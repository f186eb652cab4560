"""Reads one number at a byte of a row inside a `@kernel` function.

A condition names its column when it is armed, so the kernel that judges it knows only the place.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import config as numba_config
from numba.core.cgutils import pointer_add
from numba.core.types import Array, float64, int64, intp
from numba.extending import intrinsic

_ITEM = 8


def read_float(row: Any, start: int) -> float:
    """The float that begins at a byte of a contiguous array."""
    return row.view(np.uint8)[start : start + _ITEM].view(np.float64)[0]


def read_int(row: Any, start: int) -> int:
    """The integer that begins at a byte of a contiguous array."""
    return row.view(np.uint8)[start : start + _ITEM].view(np.int64)[0]


def _loader(kind: Any, machine: ir.Type) -> Any:
    def load(_context: Any, row: Any, start: Any) -> Any:
        if not isinstance(row, Array):
            return None

        def generate(context, builder, signature, arguments):
            # imported here, because it takes long and only compiling needs it
            from numba.np.arrayobj import make_array

            begin = context.cast(builder, arguments[1], signature.args[1], intp)
            data = make_array(signature.args[0])(context, builder, arguments[0]).data
            place = pointer_add(builder, data, begin, machine.as_pointer())
            return builder.load(place)

        return kind(row, start), generate

    return load


if not numba_config.DISABLE_JIT:
    _float: Any = intrinsic(_loader(float64, ir.DoubleType()))
    _int: Any = intrinsic(_loader(int64, ir.IntType(64)))
    read_float, read_int = _float, _int
