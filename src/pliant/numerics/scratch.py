"""Temporary arrays of a `@kernel` function, on its stack.

A heap allocation takes longer than the arithmetic of a small kernel. A kernel may pass these arrays
to the kernels that it calls, but must not return or keep them: they are freed when it returns.
"""

from math import prod
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import config as numba_config
from numba.core.cgutils import alloca_once
from numba.core.types import Array, IntegerLiteral, float64, intp
from numba.extending import intrinsic
from numpy.typing import NDArray

_ITEM = 8


def scratch(size: int) -> NDArray[np.float64]:
    """An uninitialised vector; its size must be a constant."""
    return np.empty(size)


def scratch_matrix(rows: int, columns: int) -> NDArray[np.float64]:
    """An uninitialised matrix; its sizes must be constants."""
    return np.empty((rows, columns))


def _on_the_stack(*sizes: Any) -> Any:
    if not all(isinstance(size, IntegerLiteral) for size in sizes):
        return None
    shape = [size.literal_value for size in sizes]
    strides = [_ITEM * prod(shape[i + 1 :]) for i in range(len(shape))]
    kind = Array(float64, len(shape), "C")

    def generate(context, builder, _signature, _arguments):
        # imported here, because it takes long and only compiling needs it
        from numba.np.arrayobj import make_array, populate_array

        whole = context.get_value_type(intp)
        number = ir.DoubleType()
        memory = alloca_once(builder, ir.ArrayType(number, prod(shape)))
        array = make_array(kind)(context, builder)
        populate_array(
            array,
            data=builder.bitcast(memory, number.as_pointer()),
            shape=[whole(size) for size in shape],
            strides=[whole(stride) for stride in strides],
            itemsize=whole(_ITEM),
            meminfo=None,
        )
        return array._getvalue()

    return kind(*sizes), generate


if not numba_config.DISABLE_JIT:
    _vector: Any = intrinsic(prefer_literal=True)(lambda _context, size: _on_the_stack(size))
    _matrix: Any = intrinsic(prefer_literal=True)(
        lambda _context, rows, columns: _on_the_stack(rows, columns)
    )
    scratch, scratch_matrix = _vector, _matrix
