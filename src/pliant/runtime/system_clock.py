"""The system's monotonic clock for kernels: what time it is, and sleeping until an instant.

What Python does around a sleep takes as long, after it, as a stage of the tick, and so does asking
afterwards whether anything came. Only Linux sleeps until an instant; elsewhere Python does it.
"""

import sys

import numpy as np
from numba import types
from numba.core import config as numba_config
from numpy.typing import NDArray

from pliant.kernels import kernel

IN_KERNELS = sys.platform == "linux" and not numba_config.DISABLE_JIT
"""Whether kernels can ask for the time and sleep."""

Timespec = NDArray[np.int64]
"""Two numbers: whole seconds, and nanoseconds."""

Bell = NDArray[np.int32]
"""A `pollfd` of the C library: a descriptor, then what to look for and what was seen."""

RANG = 6
"""Which byte of a bell is not zero if something was seen."""

_LOOK = 1
_SEEN = 1 << 16

_SECOND = 1_000_000_000
_MONOTONIC = 1
_UNTIL = 1
_INTERRUPTED = 4

_gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.voidptr))
_ppoll = types.ExternalFunction(
    "ppoll", types.int32(types.voidptr, types.uintp, types.voidptr, types.intp)
)
_nanosleep = types.ExternalFunction(
    "clock_nanosleep", types.int32(types.int32, types.int32, types.voidptr, types.voidptr)
)


def new_bell(descriptor: int = -1) -> bytearray:
    """A bell for what comes at a descriptor; until a clock has it, it rings all the time."""
    bell = bytearray(8)
    np.frombuffer(bell, np.int32)[:] = descriptor, _LOOK | _SEEN
    return bell


@kernel
def monotonic_ns(spec: Timespec) -> int:
    """The time that `time.monotonic_ns` tells; spec is for work."""
    _gettime(_MONOTONIC, spec.ctypes)
    return spec[0] * _SECOND + spec[1]


@kernel
def sleep_until(instant: int, bell: Bell, spec: Timespec) -> None:
    """Sleep until an instant, ns, and note in the bell if something came meanwhile.

    Signals are Python's to see to, then; spec is for work.
    """
    pause = max(0, instant - monotonic_ns(spec))
    spec[0], spec[1] = pause // _SECOND, pause % _SECOND
    bell[1] = _LOOK
    if _ppoll(bell.ctypes, 1, spec.ctypes, 0) == 0:
        return
    bell[1] = _LOOK | _SEEN
    spec[0], spec[1] = instant // _SECOND, instant % _SECOND
    while _nanosleep(_MONOTONIC, _UNTIL, spec.ctypes, spec.ctypes) == _INTERRUPTED:
        pass
