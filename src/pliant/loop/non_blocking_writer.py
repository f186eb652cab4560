"""Writes to a descriptor from a kernel, if that surely does not block."""

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
"""Most unread bytes in a pipe: half of a usual pipe."""

# the fields of a writer; the first two are a `pollfd` of the C library
WRITER_SIZE = 4
_DESCRIPTOR, _EVENTS, _PIPED, _UNREAD = range(WRITER_SIZE)

_FIONREAD = termios.FIONREAD
_WRITABLE = select.POLLOUT

_poll = types.ExternalFunction("poll", types.int32(types.voidptr, types.uintp, types.int32))
_ioctl = types.ExternalFunction("ioctl", types.int32(types.int32, types.uintp, types.voidptr))
_write = types.ExternalFunction("write", types.intp(types.int32, types.voidptr, types.uintp))

NonBlockingWriter = NDArray[np.int32]
"""A descriptor for lines that may be lost.

Nothing is written while it is not ready, nor into a pipe that is half full: room is kept for what
must not be lost, above all the last line.
"""


def new_writer(descriptor: int) -> NonBlockingWriter:
    """A writer to a descriptor."""
    piped = stat.S_ISFIFO(os.fstat(descriptor).st_mode)
    return np.array([descriptor, _WRITABLE, piped, 0], np.int32)


def has_room(writer: NonBlockingWriter) -> bool:
    """Whether there is room, from Python."""
    descriptor = int(writer[_DESCRIPTOR])
    poll = select.poll()
    poll.register(descriptor, _WRITABLE)
    ready = bool(poll.poll(0))
    if not ready or not writer[_PIPED]:
        return ready
    unread = fcntl.ioctl(descriptor, _FIONREAD, b"\0" * 4)
    return struct.unpack("i", unread)[0] <= _MOST_UNREAD


@kernel
def room_in(writer: NonBlockingWriter) -> bool:
    """Whether there is room, from a kernel."""
    writer[_EVENTS] = _WRITABLE
    if _poll(writer.ctypes, 1, 0) <= 0:
        return False
    if not writer[_PIPED]:
        return True
    asked = _ioctl(writer[_DESCRIPTOR], _FIONREAD, writer[_UNREAD:].ctypes)
    return asked == 0 and writer[_UNREAD] <= _MOST_UNREAD


@kernel
def put(writer: NonBlockingWriter, text: NDArray[np.uint8], size: int) -> int:
    """Write the first bytes of a text; how many were written."""
    return max(0, _write(writer[_DESCRIPTOR], text.ctypes, size))
