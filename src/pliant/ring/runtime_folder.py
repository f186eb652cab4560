"""The runtime folder, with the rings and sockets of running controllers."""

import os
import re
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pliant.errors import ConfigError, PliantError
from pliant.ring.sealed_memory import leads_nowhere, owner_of

RING_SUFFIX = ".ring"
SOCKET_SUFFIX = ".sock"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

_PRIVATE, _USABLE, _WRITABLE_BY_OTHERS = 0o700, 0o300, 0o022


def runtime_folder() -> Path:
    """The folder, private to this user and in memory if possible; it is made if needed.

    Raises:
        PliantError: It cannot be made, or other users could change what is in it.
    """
    folder, chosen = _chosen()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        raise PliantError(f"no runtime folder at {folder}: {error.strerror}") from None
    if flaw := _flaw(found):
        raise PliantError(f"the runtime folder {folder} {flaw}")
    if not chosen and stat.S_IMODE(found.st_mode) != _PRIVATE:
        folder.chmod(_PRIVATE)
    return folder


def _flaw(found: os.stat_result) -> str:
    """Why a folder cannot be trusted, with the remedy; empty if it can."""
    other = "set PLIANT_RUNTIME_DIR to a folder of your own"
    if not stat.S_ISDIR(found.st_mode):
        return f"is a link, which may lead anywhere: remove it, or {other}"
    if found.st_uid != os.getuid():
        return f"belongs to another user: {other}"
    if found.st_mode & _WRITABLE_BY_OTHERS:
        return f"can be written by other users: `chmod 700` it, or {other}"
    if found.st_mode & _USABLE != _USABLE:
        return f"is not writable: `chmod 700` it, or {other}"
    return ""


def _chosen() -> tuple[Path, bool]:
    """The folder, and whether the user named it."""
    chosen = os.environ.get("PLIANT_RUNTIME_DIR")
    if chosen:
        return Path(chosen), True
    candidates = [os.environ.get("XDG_RUNTIME_DIR", ""), "/dev/shm"]
    usable = [path for path in candidates if path and os.access(path, os.W_OK)]
    return Path(*usable[:1] or [tempfile.gettempdir()]) / f"pliant-{os.getuid()}", False


def check_name(name: str) -> str:
    """The name of a controller, checked.

    Raises:
        ConfigError: It cannot be part of a file name.
    """
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"{name!r} cannot name a controller: letters, digits, '.', '_', '-', at most 64"
        )
    return name


@dataclass(frozen=True, kw_only=True)
class ProcessId:
    """A process id with its start time, which no later process of the same id has."""

    pid: int
    started: int

    @classmethod
    def of(cls, pid: int) -> "ProcessId | None":
        """The process with this id; None if there is none."""
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return None
        # the state follows the name; a zombie has ended
        return None if fields[0] in "ZX" else cls(pid=pid, started=int(fields[19]))

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return ProcessId.of(self.pid) == self


def clean_up() -> list[str]:
    """Remove the links and sockets of controllers that were killed; the names of those.

    Nothing is touched but links to a process's memory and the socket beside one.
    """
    removed = []
    for ring in runtime_folder().glob(f"*{RING_SUFFIX}"):
        if _abandoned(ring):
            # the ring goes last: the socket is found by it
            remove_socket(ring.with_suffix(SOCKET_SUFFIX))
            ring.unlink(missing_ok=True)
            removed.append(ring.stem)
    return removed


def remove_socket(path: Path) -> None:
    """Remove a socket, and nothing else."""
    try:
        if stat.S_ISSOCK(path.lstat().st_mode):
            path.unlink()
    except FileNotFoundError:
        pass


def _abandoned(ring: Path) -> bool:
    try:
        owner = owner_of(ring)
    except FileNotFoundError:
        return False
    return owner is not None and (ProcessId.of(owner) is None or leads_nowhere(ring))
