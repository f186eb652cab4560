"""Writing to a descriptor from a kernel, if that surely does not wait."""

import fcntl
import os
import select
import stat
import struct
import termios

import numpy as np
from numba import types
from numpy.typing import NDArray

from pliant.numerics.kernels import kernel

_MOST_UNREAD = 32768
"""Bytes that may be left unread in a pipe: half of what one usually holds."""

# what an outlet consists of; the first two are a `pollfd` of the C library
OUTLET_SIZE = 4
_DESCRIPTOR, _EVENTS, _PIPED, _UNREAD = range(OUTLET_SIZE)

_FIONREAD = termios.FIONREAD
_WRITABLE = select.POLLOUT

_poll = types.ExternalFunction("poll", types.int32(types.voidptr, types.uintp, types.int32))
_ioctl = types.ExternalFunction("ioctl", types.int32(types.int32, types.uintp, types.voidptr))
_write = types.ExternalFunction("write", types.intp(types.int32, types.voidptr, types.uintp))

Outlet = NDArray[np.int32]
"""A descriptor for things that may be lost.

Nothing is written while it is not ready, and nothing more into a pipe that nobody reads: there is
to be room for what matters, the last line above all.
"""


def new_outlet(descriptor: int) -> Outlet:
    """Where to write to a descriptor."""
    piped = stat.S_ISFIFO(os.fstat(descriptor).st_mode)
    return np.array([descriptor, _WRITABLE, piped, 0], np.int32)


def has_room(outlet: Outlet) -> bool:
    """Whether there is room, asked by Python."""
    descriptor = int(outlet[_DESCRIPTOR])
    poll = select.poll()
    poll.register(descriptor, _WRITABLE)
    ready = bool(poll.poll(0))
    if not ready or not outlet[_PIPED]:
        return ready
    unread = fcntl.ioctl(descriptor, _FIONREAD, b"\0" * 4)
    return struct.unpack("i", unread)[0] <= _MOST_UNREAD


@kernel
def room_in(outlet: Outlet) -> bool:
    """Whether there is room, asked by a kernel."""
    outlet[_EVENTS] = _WRITABLE
    if _poll(outlet.ctypes, 1, 0) <= 0:
        return False
    if not outlet[_PIPED]:
        return True
    asked = _ioctl(outlet[_DESCRIPTOR], _FIONREAD, outlet[_UNREAD:].ctypes)
    return asked == 0 and outlet[_UNREAD] <= _MOST_UNREAD


@kernel
def put(outlet: Outlet, text: NDArray[np.uint8], size: int) -> int:
    """Write the beginning of a text where there is room; how much of it was written."""
    return max(0, _write(outlet[_DESCRIPTOR], text.ctypes, size))
