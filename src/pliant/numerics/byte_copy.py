"""Copies bytes of one row to another inside a `@kernel` function.

Numba can view a structured row as bytes, but making the two views takes longer than the copy.
"""

from typing import Any

import numpy as np
from numba.core import config as numba_config
from numba.core.cgutils import pointer_add, raw_memcpy
from numba.core.types import Array, intp, void
from numba.extending import intrinsic


def copy_bytes(source: Any, target: Any, start: int, end: int) -> None:
    """Copy bytes `start` to `end` of one contiguous array to the same place in another."""
    target.view(np.uint8)[start:end] = source.view(np.uint8)[start:end]


def _memcpy(_context: Any, source: Any, target: Any, start: Any, end: Any) -> Any:
    if not (isinstance(source, Array) and isinstance(target, Array)):
        return None

    def generate(context, builder, signature, arguments):
        # imported here, because it takes long and only compiling needs it
        from numba.np.arrayobj import make_array

        whole = context.get_value_type(intp)
        begin, stop = (
            context.cast(builder, value, kind, intp)
            for value, kind in zip(arguments[2:], signature.args[2:], strict=True)
        )
        places = [
            pointer_add(builder, make_array(kind)(context, builder, value).data, begin)
            for kind, value in zip(signature.args[:2], arguments[:2], strict=True)
        ]
        raw_memcpy(builder, places[1], places[0], builder.sub(stop, begin), whole(1))
        return context.get_dummy_value()

    return void(source, target, start, end), generate


if not numba_config.DISABLE_JIT:
    _compiled: Any = intrinsic(_memcpy)
    copy_bytes = _compiled
