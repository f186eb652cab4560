"""The system's monotonic clock for kernels: the time, and sleeping until an instant.

After a sleep, Python's own work around it takes as long as a stage of the tick. Only Linux can
sleep until an instant; elsewhere Python sleeps.
"""

import sys

import numpy as np
from numba import types
from numba.core import config as numba_config
from numpy.typing import NDArray

from pliant.numerics.kernels import kernel

IN_KERNELS = sys.platform == "linux" and not numba_config.DISABLE_JIT
"""Whether kernels can ask for the time and sleep."""

Timespec = NDArray[np.int64]
"""Seconds and nanoseconds."""

_SECOND = 1_000_000_000
_MONOTONIC = 1
_UNTIL = 1
_INTERRUPTED = 4

_gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.voidptr))
_nanosleep = types.ExternalFunction(
    "clock_nanosleep", types.int32(types.int32, types.int32, types.voidptr, types.intp)
)


@kernel
def monotonic_ns(spec: Timespec) -> int:
    """The time of `time.monotonic_ns`; spec is scratch memory."""
    _gettime(_MONOTONIC, spec.ctypes)
    return spec[0] * _SECOND + spec[1]


@kernel
def sleep_until(instant: int, spec: Timespec) -> None:
    """Sleep until an instant, ns, through signals; spec is scratch memory."""
    spec[0], spec[1] = instant // _SECOND, instant % _SECOND
    while _nanosleep(_MONOTONIC, _UNTIL, spec.ctypes, 0) == _INTERRUPTED:
        pass
