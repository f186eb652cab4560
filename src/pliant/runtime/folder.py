"""The folder where controllers can be found: their rings and their sockets."""

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

RING_SUFFIX = ".ring"
SOCKET_SUFFIX = ".sock"


def runtime_folder() -> Path:
    """A folder of this user's own, in memory where there is one, made if need be.

    A ring on a disk would make the loop wait for the disk now and then.
    """
    chosen = os.environ.get("PLIANT_RUNTIME_DIR")
    if chosen:
        folder = Path(chosen)
    else:
        candidates = [os.environ.get("XDG_RUNTIME_DIR", ""), "/dev/shm", tempfile.gettempdir()]
        root = next(path for path in candidates if path and os.access(path, os.W_OK))
        folder = Path(root) / f"pliant-{os.getuid()}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


@dataclass(frozen=True, kw_only=True)
class ProcessId:
    """A process that cannot be confused with a later one of the same number."""

    pid: int
    started: int

    @classmethod
    def of(cls, pid: int) -> "ProcessId | None":
        """The process that has this number now."""
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return None
        # the state comes first after the name; a zombie is gone
        return None if fields[0] in "ZX" else cls(pid=pid, started=int(fields[19]))

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return ProcessId.of(self.pid) == self


def clean_up() -> list[str]:
    """Remove what controllers left behind that were killed; the names of those."""
    from pliant.runtime.ring import read_header

    removed = []
    for ring in runtime_folder().glob(f"*{RING_SUFFIX}"):
        try:
            header = read_header(ring)
            owner = ProcessId(pid=header["pid"], started=header["started"])
        except (OSError, ValueError, KeyError, json.JSONDecodeError):
            owner = None
        if owner is None or not owner.alive:
            ring.unlink(missing_ok=True)
            ring.with_suffix(SOCKET_SUFFIX).unlink(missing_ok=True)
            removed.append(ring.stem)
    return removed
