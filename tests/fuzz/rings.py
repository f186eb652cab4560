"""A runtime folder full of foreign and damaged files: nothing foreign is read, changed or deleted.

Files with our names and damaged contents, links to elsewhere, memory with a damaged header, FIFOs,
sockets and folders lie where the rings of controllers are. Whoever looks for controllers must
neither hang nor fail, and all of it must still be there afterwards.
"""

import contextlib
import io
import json
import os
import random
import shutil
import socket
from pathlib import Path

from pliant.cli.status import status
from pliant.errors import PliantError
from pliant.ring.discovery import find_controllers
from pliant.ring.ring import RingReader, RingWriter
from pliant.ring.runtime_folder import clean_up
from pliant.ring.sealed_memory import SealedMemory

from .hostile import damaged, spoiled, value
from .kind import Finding, Tally, each
from .own_folder import runtime_folder_at

_NAMES = (
    *("a.ring", "b.ring", "a.sock", "paper.2024", "x.1", "x.99999999", "notes.txt", ".ring"),
    *("photo.007", "c.ring.ring", "ä.ring", "-rf.ring", "a b.ring", "x.0", "..ring", "d.4194305"),
)


class Rings:
    """Looks for controllers among things that are none."""

    def __init__(self, folder: Path) -> None:
        self._folder = runtime_folder_at(folder / "run")
        self._outside = folder / "outside"
        self._outside.mkdir()
        self._memories: list[SealedMemory] = []
        self._ring = self._a_ring()

    def close(self) -> None:
        """Nothing to release."""

    def _a_ring(self) -> bytes:
        """The memory of a ring of this process."""
        header = {"dt": 0.002, "spec": "sim:ur5e"}
        writer = RingWriter(self._folder / "made.ring", 6, 4, header)
        data = (self._folder / "made.ring").read_bytes()
        writer.close()
        return data

    def run(self, dice: random.Random, count: int) -> Tally:
        """Fill the folder, and look for controllers in it."""
        return each(count, lambda: self._look(dice))

    def _look(self, dice: random.Random) -> bool:
        _clear(self._folder)
        _clear(self._outside)
        while self._memories:
            self._memories.pop().close()
        kept = self._outside / "kept"
        kept.write_bytes(b"important")
        for name in dice.sample(_NAMES, dice.randrange(1, 6)):
            self._plant(dice, self._folder / name)
        before = _listed(self._folder)
        try:
            self._look_everywhere()
        except PliantError as error:
            if not str(error).strip():
                raise Finding(f"{type(error).__name__} says nothing") from error
        lost = [name for name, what in before.items() if _listed(self._folder).get(name) != what]
        if lost:
            raise Finding(f"foreign files are gone or changed: {lost}, {[before[n] for n in lost]}")
        if kept.read_bytes() != b"important":
            raise Finding("a file elsewhere was changed")
        return True

    def _look_everywhere(self) -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            status(json=True)
        clean_up()
        for name in find_controllers():
            with contextlib.suppress(PliantError, OSError):
                reader = RingReader(self._folder / f"{name}.ring")
                reader.rewind()
                sum(1 for _ in reader.ticks())
                reader.latest()
                sum(1 for _ in reader.lines())

    def _plant(self, dice: random.Random, path: Path) -> None:
        choice = dice.random()
        if choice < 0.3 and path.suffix == ".ring":
            self._plant_memory(path, self._damaged_ring(dice))
        elif choice < 0.4:
            path.write_bytes(self._damaged_ring(dice))
        elif choice < 0.5:
            path.write_bytes(dice.randbytes(dice.choice((0, 1, 100, 100_000))))
        elif choice < 0.65:
            targets = ("kept", "..", "/proc/self/mem", "/dev/zero", "/dev/stdin", path.name, "none")
            target = dice.choice(targets)
            path.symlink_to(self._outside / target if target in ("kept", "none") else target)
        elif choice < 0.75:
            path.mkdir()
        elif choice < 0.85:
            os.mkfifo(path)
        elif choice < 0.95:
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(str(path))
        else:
            path.write_bytes(self._ring)
            path.chmod(0)

    def _plant_memory(self, path: Path, data: bytes) -> None:
        """Memory as a controller of this user could publish it, with any content."""
        memory = SealedMemory(path, max(1, len(data)))
        memory.map[: len(data)] = data
        memory.publish()
        self._memories.append(memory)

    def _damaged_ring(self, dice: random.Random) -> bytes:
        """A ring that no controller would write: damaged bytes, or a header that lies."""
        if dice.random() < 0.4:
            return damaged(dice, self._ring)
        magic, size = self._ring[:8], int.from_bytes(self._ring[8:16], "little")
        header = json.loads(self._ring[16 : 16 + size])
        for name in dice.sample(sorted(header), dice.randrange(1, 4)):
            header[name] = value(dice)
        if dice.random() < 0.2:
            header = spoiled(dice, header)
        text = json.dumps(header).encode()
        told = dice.choice((len(text), len(text), 0, 2**63, len(text) // 2))
        start = magic + told.to_bytes(8, "little") + text
        return start + (self._ring[len(start) :] if dice.random() < 0.7 else b"")


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _listed(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Names, kinds and sizes of what is in a folder, without following links."""
    with os.scandir(folder) as entries:
        stats = {entry.name: entry.stat(follow_symlinks=False) for entry in entries}
    return {name: (s.st_mode, s.st_ino, s.st_size) for name, s in stats.items()}
