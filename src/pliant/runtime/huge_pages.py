"""Huge pages: a process that wakes up cold finds its memory again with far fewer look-ups."""

import ctypes
from collections.abc import Iterator
from pathlib import Path

_MADV_COLLAPSE = 25
_SIZE = 2 << 20
_HEAP = "[heap]"


def use_huge_pages() -> int:
    """Gather this process's own memory into huge pages where the system can; how many it made.

    Linux can since 6.1. Where it cannot, everything works as well, a little slower.
    """
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return sum(madvise(start, _SIZE, _MADV_COLLAPSE) == 0 for start in _places())


def _places() -> Iterator[int]:
    """Where in writable memory without a file behind it there is room for a huge page."""
    try:
        maps = Path("/proc/self/maps").read_text()
    except OSError:
        return
    for line in maps.splitlines():
        where, permissions, _, _, _, *name = line.split(maxsplit=5)
        if permissions == "rw-p" and name in ([], [_HEAP]):
            start, end = (int(address, 16) for address in where.split("-"))
            yield from range(-(-start // _SIZE) * _SIZE, end - _SIZE + 1, _SIZE)
