"""The runtime folder, with the rings and sockets of running controllers."""

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pliant.errors import ConfigError, PliantError
from pliant.ring.ring_file import read_header

RING_SUFFIX = ".ring"
SOCKET_SUFFIX = ".sock"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def runtime_folder() -> Path:
    """The folder, private to this user and in memory if possible; it is made if needed.

    A ring on a disk would make the loop wait for the disk now and then.

    Raises:
        PliantError: It cannot be made, or belongs to another user.
    """
    folder = _chosen()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise PliantError(f"no runtime folder at {folder}: {error.strerror}") from None
    if not os.access(folder, os.W_OK | os.X_OK) or folder.stat().st_uid != os.getuid():
        raise PliantError(
            f"the runtime folder {folder} belongs to another user or is not writable: "
            "set PLIANT_RUNTIME_DIR to another folder"
        )
    return folder


def _chosen() -> Path:
    chosen = os.environ.get("PLIANT_RUNTIME_DIR")
    if chosen:
        return Path(chosen)
    candidates = [os.environ.get("XDG_RUNTIME_DIR", ""), "/dev/shm"]
    usable = [path for path in candidates if path and os.access(path, os.W_OK)]
    return Path(*usable[:1] or [tempfile.gettempdir()]) / f"pliant-{os.getuid()}"


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
    """Remove the files of controllers that were killed; the names of those."""
    folder = runtime_folder()
    removed = []
    for ring in folder.glob(f"*{RING_SUFFIX}"):
        if _abandoned(ring):
            # the ring goes last: the other files are found by it
            ring.with_suffix(SOCKET_SUFFIX).unlink(missing_ok=True)
            ring.unlink(missing_ok=True)
            removed.append(ring.stem)
    # an unfinished ring is named after the process that makes it
    for unfinished in folder.glob("*.[0-9]*"):
        number = unfinished.suffix[1:]
        if number.isdecimal() and ProcessId.of(int(number)) is None:
            unfinished.unlink(missing_ok=True)
    return removed


def _abandoned(ring: Path) -> bool:
    try:
        header = read_header(ring)
        return not ProcessId(pid=header["pid"], started=header["started"]).alive
    except (OSError, ValueError, KeyError, PliantError):
        # gone, or written by another version of Pliant
        return False
