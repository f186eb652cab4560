"""The ring: every tick and every line, in a memory-mapped file that other programs read.

The writer never waits, and does not notice readers that are slow, absent or killed. A reader that
was overtaken knows how many ticks it missed. There are two lanes: ticks, and lines (commands,
replies, events).
"""

import contextlib
import json
import mmap
import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import PliantError
from pliant.numerics.kernels import Direct, direct
from pliant.ring.lanes import put_line, put_tick, take_line, take_newest, take_tick
from pliant.ring.ring_file import (
    COUNTERS,
    HEADER_SIZE,
    LONGEST,
    LONGEST_TEXT,
    MAGIC,
    PLACE,
    lanes_of,
    open_lanes,
    ring_size,
    schema,
)
from pliant.ring.runtime_folder import RING_SUFFIX, runtime_folder
from pliant.tick import Rows, new_rows, tick_dtype

RING_SECONDS = 12.0
"""How much of the past a controller's ring holds, s; a flight recording needs most of it."""

LINE_KINDS = ("command", "reply", "event", "config", "input", "holder", "end")
"""A `holder` line names the client in control, an `end` line says why the controller exits."""

_HEAD = struct.Struct("=qqqq")


@dataclass(frozen=True, kw_only=True)
class Line:
    """An entry of the lane of lines."""

    tick: int
    kind: str
    text: str


class RingWriter:
    """Publishes ticks and lines; the process that owns the arm makes it.

    Attributes:
        path: Its name.
        publish: Publishes a finished tick.
        lane: The lane of ticks: its counters and its rows.
    """

    def __init__(self, path: Path, n: int, depth: int, header: dict[str, Any]) -> None:
        """Create the file and touch all of its memory, so that no tick has to.

        The file gets its name when it is complete, so that no reader finds half of one.

        Args:
            path: Its name.
            n: Number of joints.
            depth: How many ticks it holds.
            header: What readers need to know of the arm and the process, as JSON can hold it.

        Raises:
            PliantError: There is no room for it, or a ring of that name exists.
        """
        self.path = path
        own = {"n": n, "depth": depth, "row_size": tick_dtype(n).itemsize, "columns": schema(n)}
        text = json.dumps(header | own).encode()
        if len(text) > HEADER_SIZE - 16:
            raise PliantError("the header of the ring is too long")
        with _new_file(path, ring_size(n, depth)) as memory:
            memory[: 16 + len(text)] = MAGIC + len(text).to_bytes(8, "little") + text
            self._counters, self._rows, self._words = lanes_of(memory, n, depth)
            self.lane = (self._counters, self._rows)
            put = direct(put_tick, *self.lane, new_rows(n))
            self.publish: Callable[[Rows], None] = partial(put, *self.lane)
            self._put_line = Direct(put_line)
            self._rehearse(n)
        self._lines = 0

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Publish a line that belongs to a tick."""
        data = text.encode()[:LONGEST_TEXT]
        self._lines += 1
        head = _HEAD.pack(tick, self._lines, LINE_KINDS.index(kind), len(data))
        record = np.frombuffer(head + data + bytes(-len(data) % 8), np.int64)
        self._put_line.call(record, self._counters, self._words)

    def close(self) -> None:
        """Mark the ring as ended, and remove the file."""
        self._counters["ended"] = 1
        self.path.unlink(missing_ok=True)

    def _rehearse(self, n: int) -> None:
        """Touch every page and load every kernel, so that no tick has to."""
        self._rows.view(np.uint8)[:] = 0
        self._words[:] = 0
        self._lines = 0
        self.publish(new_rows(n))
        self.write_line("event", 0, "")
        self._counters[:] = np.zeros(1, COUNTERS)


class RingReader:
    """Reads a ring, unnoticed by the writer, from the next tick and the next line on.

    Attributes:
        header: Arm, process and schema, as the writer gave them.
    """

    def __init__(self, path: Path) -> None:
        """Map a ring read-only.

        Raises:
            PliantError: It is no ring, is incomplete, or was written by another version.
            OSError: There is no such file.
        """
        self.header, self._counters, self._rows, self._words = open_lanes(path)
        self._row = np.zeros_like(self._rows[:1])
        self._line = np.zeros(LONGEST, np.int64)
        self._place = np.zeros(1, PLACE)
        self._place["tick"] = self._counters["ticks"] + 1
        self._place["word"] = self._counters["words"]

    @property
    def published(self) -> int:
        """How many ticks the writer has published."""
        return int(self._counters["ticks"][0])

    @property
    def missed(self) -> int:
        """How many ticks were overwritten before `ticks` read them."""
        return int(self._place["missed"][0])

    @property
    def missed_lines(self) -> int:
        """How many lines were overwritten before `lines` read them."""
        return int(self._place["missed_lines"][0])

    @property
    def ended(self) -> bool:
        """Whether the writer has closed the ring."""
        return bool(self._counters["ended"][0])

    def rewind(self) -> None:
        """Go back to the oldest tick and the oldest line in the ring."""
        self._place["tick"] = max(1, int(self._counters["begun"][0]) - self._rows.size + 1)
        self._place["word"] = self._counters["oldest"]
        self._place["line"] = 0

    def latest(self) -> Rows | None:
        """A copy of the newest tick, independent of `ticks`; None before the first."""
        row = np.empty_like(self._row)
        return row if take_newest(self._counters, self._rows, row) else None

    def ticks(self) -> Iterator[Rows]:
        """The ticks published since the last call, each valid until the next one."""
        while take_tick(self._counters, self._rows, self._place, self._row):
            yield self._row

    def lines(self) -> Iterator[Line]:
        """The lines published since the last call."""
        while take_line(self._counters, self._words, self._place, self._line):
            tick, _, kind, size = self._line[:4].tolist()
            text = self._line[4:].view(np.uint8)[:size].tobytes().decode(errors="replace")
            yield Line(tick=tick, kind=LINE_KINDS[kind], text=text)


@contextlib.contextmanager
def _new_file(path: Path, size: int) -> Iterator[mmap.mmap]:
    """Memory in a file that gets its name when it is complete."""
    unnamed = path.with_suffix(f".{os.getpid()}")
    descriptor = os.open(unnamed, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.posix_fallocate(descriptor, 0, size)
        yield mmap.mmap(descriptor, size)
        os.link(unnamed, path)
    except FileExistsError:
        raise PliantError(f"there is a ring {path.name} already") from None
    except OSError as error:
        raise PliantError(f"no ring of {size / 1e6:.0f} MB: {error}") from None
    finally:
        os.close(descriptor)
        unnamed.unlink()


def open_ring(name: str) -> RingReader:
    """The ring of a controller.

    Raises:
        PliantError: The ring was written by another version of Pliant.
        OSError: There is no such controller.
    """
    return RingReader(runtime_folder() / f"{name}{RING_SUFFIX}")
