"""Memory that other processes can map, but neither write nor cut: a sealed memfd behind a link.

The link, in the runtime folder, leads to /proc/PID/fd/N of the process that owns the memory, so
only this user can follow it, and it leads nowhere once that process has ended. Whoever has mapped
the memory keeps it.
"""

import fcntl
import mmap
import os
import re
from pathlib import Path

from pliant.errors import PliantError

_PLACE = re.compile(r"/proc/([1-9][0-9]*)/fd/([0-9]+)")
_FUTURE_WRITE = 0x10
"""F_SEAL_FUTURE_WRITE of Linux 5.1, which Python does not name: no new map may write."""

_SHRINK, _GROW, _SEAL = 0x2, 0x4, 0x1
_SEALS = _SHRINK | _GROW | _FUTURE_WRITE | _SEAL


class SealedMemory:
    """Memory of this process that is published once it is complete.

    Attributes:
        path: The link by which others find it.
        place: Where it is, as long as this process runs.
        map: The memory, which only this map can write once it is sealed.
    """

    def __init__(self, path: Path, size: int) -> None:
        """Make the memory; others cannot find it yet.

        Raises:
            PliantError: There is no room for it, or the system has no such memory.
        """
        self.path = path
        if not hasattr(os, "memfd_create"):
            raise PliantError("Pliant's controllers need Linux: this system has no sealed memory")
        flags = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
        self._descriptor: int | None = os.memfd_create(_mark(path), flags)
        self.place = Path(f"/proc/{os.getpid()}/fd/{self._descriptor}")
        try:
            os.fchmod(self._descriptor, 0o600)
            os.posix_fallocate(self._descriptor, 0, size)
            # touched at once, so that no tick has to
            flags = mmap.MAP_SHARED | mmap.MAP_POPULATE
            self.map = mmap.mmap(self._descriptor, size, flags)
        except OSError as error:
            self.close()
            raise PliantError(f"no ring of {size / 1e6:.0f} MB: {error}") from None

    def publish(self) -> None:
        """Seal it, and make the link to it.

        Raises:
            PliantError: There is a file of that name already, or the system cannot seal.
        """
        assert self._descriptor is not None
        try:
            fcntl.fcntl(self._descriptor, fcntl.F_ADD_SEALS, _SEALS)
        except OSError as error:
            raise PliantError(f"the ring cannot be sealed, needs Linux 5.1: {error}") from None
        try:
            self.path.symlink_to(self.place)
        except FileExistsError:
            raise PliantError(f"there is a ring {self.path.name} already") from None
        except OSError as error:
            raise PliantError(f"no ring at {self.path}: {error.strerror}") from None

    def close(self) -> None:
        """Remove the link; those who have mapped the memory keep it. Safe to call twice."""
        if self._descriptor is not None:
            if link_target(self.path) == str(self.place):
                self.path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None


def open_sealed(path: Path) -> tuple[int, int]:
    """Open the memory behind a link for reading: its descriptor, and the process that owns it.

    Raises:
        PliantError: It is not a link to sealed memory of this name.
        OSError: There is no such link, or the process has ended.
    """
    owner = owner_of(path)
    # nothing else is opened: a pipe would block, a device might do anything
    if owner is None or not _is_marked(path):
        raise PliantError(f"{path.name} is not a ring: it does not lead to a controller's memory")
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    if fcntl.fcntl(descriptor, fcntl.F_GET_SEALS) & _SEALS != _SEALS:
        os.close(descriptor)
        raise PliantError(f"{path.name} is not a ring: its memory is not sealed")
    return descriptor, owner


def owner_of(path: Path) -> int | None:
    """The process whose memory a link names, running or not; None if it is no such link.

    Raises:
        FileNotFoundError: There is nothing of that name.
    """
    match = _PLACE.fullmatch(link_target(path))
    if match is None:
        path.lstat()
    return int(match[1]) if match else None


def leads_nowhere(path: Path) -> bool:
    """Whether a link to a process's memory no longer leads to memory of its name."""
    try:
        return not _is_marked(path)
    except OSError:
        # the process has ended, or another user's has its number now
        return True


def link_target(path: Path) -> str:
    """What a link says; empty if there is no link."""
    try:
        return os.readlink(path)
    except OSError:
        return ""


def _mark(path: Path) -> str:
    """The name of the memory, by which it is known as the one that a link means."""
    return f"pliant-ring:{path.stem}"


def _is_marked(path: Path) -> bool:
    return os.readlink(link_target(path)) == f"/memfd:{_mark(path)} (deleted)"
