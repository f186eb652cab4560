"""The ring: every tick and every line, in a memory-mapped file that anyone may read.

The writer never waits. A reader that is slow, absent or killed is not noticed; one that was
overtaken is told how many it missed. Two lanes: ticks in slots of one size, and lines (commands,
replies, events) of any size.

    page 0..15   magic, length, header as JSON: schema, arm, process
    page 16      counters: ticks published, bytes of lines written, ended
    then         the tick lane: depth slots of (begin, row, end)
    then         the line lane: a ring of bytes
"""

import json
import mmap
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import PliantError
from pliant.tick import Rows, tick_dtype

_MAGIC = b"PLIANT01"
_HEADER_SIZE = 65536
_COUNTERS = np.dtype([("ticks", "u8"), ("line_bytes", "u8"), ("ended", "u8")])
_LINES_SIZE = 1 << 20
_RECORD = np.dtype([("tick", "i8"), ("size", "u4"), ("kind", "u4")])
_LONGEST_RECORD = _LINES_SIZE // 4
_PAGE = 4096

LINE_KINDS = ("command", "reply", "event", "config")


@cache
def _slot_dtype(n: int) -> np.dtype:
    """A row between two stamps; they differ while it is being written."""
    return np.dtype([("begin", "u8"), ("row", tick_dtype(n)), ("end", "u8")], align=True)


@dataclass(frozen=True, kw_only=True)
class Line:
    """An entry of the line lane."""

    tick: int
    kind: str
    text: str


class RingWriter:
    """Publishes ticks and lines; made by the process that owns the arm."""

    def __init__(self, path: Path, n: int, depth: int, header: dict[str, Any]) -> None:
        """Create the file, all of its memory in place before the first tick."""
        self.path = path
        text = json.dumps(header | {"n": n, "depth": depth, "columns": schema(n)}).encode()
        if len(text) > _HEADER_SIZE - 16:
            raise PliantError("the header of the ring is too long")
        slots = _slot_dtype(n)
        size = _HEADER_SIZE + _PAGE + depth * slots.itemsize + _LINES_SIZE
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.posix_fallocate(descriptor, 0, size)
            self._map = mmap.mmap(descriptor, size)
        finally:
            os.close(descriptor)
        self._map[16 : 16 + len(text)] = text
        self._map[8:16] = len(text).to_bytes(8, "little")
        self._counters, self._slots, self._lines = _lanes(self._map, n, depth)
        self._depth = depth
        self._begin, self._end = self._slots["begin"], self._slots["end"]
        # as bytes: NumPy copies records field by field
        row_at = slots.fields["row"][1] if slots.fields else 0
        row_size = tick_dtype(n).itemsize
        as_bytes = self._slots.view(np.uint8).reshape(depth, -1)
        self._rows = as_bytes[:, row_at : row_at + row_size]
        self._slots.view(np.uint8)[:] = 0
        self._ticks = self._line_bytes = 0
        self._map[:8] = _MAGIC

    def publish(self, tick: Rows) -> None:
        """Publish a finished tick."""
        self._ticks += 1
        place = self._ticks % self._depth
        self._begin[place] = self._ticks
        self._rows[place] = tick.view(np.uint8)
        self._end[place] = self._ticks
        self._counters["ticks"] = self._ticks

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Publish a line that belongs to a tick."""
        data = text.encode()[: _LONGEST_RECORD - 2 * _RECORD.itemsize]
        record = np.zeros(1, _RECORD)
        record["tick"] = tick
        record["size"], record["kind"] = len(data), LINE_KINDS.index(kind)
        padding = -len(data) % _RECORD.itemsize
        self._append(record.tobytes() + data + bytes(padding))

    def close(self) -> None:
        """Tell readers that nothing more will come, and remove the file."""
        self._counters["ended"] = 1
        self.path.unlink(missing_ok=True)

    def _append(self, data: bytes) -> None:
        block = np.frombuffer(data, np.uint8)
        place = (self._line_bytes + np.arange(len(block))) % _LINES_SIZE
        self._lines[place] = block
        self._line_bytes += len(block)
        self._counters["line_bytes"] = self._line_bytes


class RingReader:
    """Reads a ring without the writer noticing.

    Attributes:
        header: What the writer says of itself: arm, process, schema.
        missed: How many ticks were overwritten before they could be read.
    """

    def __init__(self, path: Path) -> None:
        """Map a ring read-only, and begin at the next tick.

        Raises:
            PliantError: It is not a ring.
        """
        self.header = read_header(path)
        n, depth = self.header["n"], self.header["depth"]
        if self.header["columns"] != schema(n):
            raise PliantError("the ring was written by another version of Pliant")
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        self._counters, self._slots, self._lines = _lanes(self._map, n, depth)
        self._row = np.zeros(1, tick_dtype(n))
        self.missed = 0
        self._next = int(self._counters["ticks"]) + 1
        self._line_at = int(self._counters["line_bytes"])

    @property
    def published(self) -> int:
        """How many ticks the writer has published."""
        return int(self._counters["ticks"])

    @property
    def ended(self) -> bool:
        """Whether the writer has ended properly."""
        return bool(self._counters["ended"])

    def rewind(self) -> None:
        """Begin with the oldest tick and line that are still there."""
        self._next = max(1, self.published - len(self._slots) + 2)
        self._line_at = 0 if int(self._counters["line_bytes"]) < _LINES_SIZE else self._line_at

    def latest(self) -> Rows | None:
        """A copy of the newest tick; None before the first."""
        while (number := self.published) > 0:
            row = self._copy(number)
            if row is not None:
                return row.copy()
        return None

    def ticks(self) -> Iterator[Rows]:
        """The ticks published since the last call, each valid until the next one."""
        while self._next <= (published := self.published):
            oldest = published - len(self._slots) + 2
            if self._next < oldest:
                self.missed += oldest - self._next
                self._next = oldest
            row = self._copy(self._next)
            if row is None:
                # overwritten while being read: look again where the oldest is now
                self.missed += 1
            self._next += 1
            if row is not None:
                yield row

    def lines(self) -> Iterator[Line]:
        """The lines published since the last call."""
        while self._line_at < int(self._counters["line_bytes"]):
            record = self._bytes(self._line_at, _RECORD.itemsize).view(_RECORD)[0]
            size = min(int(record["size"]), _LINES_SIZE)
            data = self._bytes(self._line_at + _RECORD.itemsize, size).tobytes()
            written = int(self._counters["line_bytes"])
            if written - self._line_at > _LINES_SIZE - _LONGEST_RECORD:
                # overtaken: what is left is not worth guessing at
                self._line_at = written
                return
            self._line_at += _RECORD.itemsize + size + (-size % _RECORD.itemsize)
            yield Line(
                tick=int(record["tick"]),
                kind=LINE_KINDS[int(record["kind"])],
                text=data.decode(errors="replace"),
            )

    def _copy(self, number: int) -> Rows | None:
        """Copy a tick; None if it was overwritten meanwhile."""
        slot = self._slots[number % len(self._slots)]
        if slot["begin"] != number:
            return None
        self._row[0] = slot["row"]
        return self._row if slot["end"] == number and slot["begin"] == number else None

    def _bytes(self, at: int, size: int) -> np.ndarray:
        return self._lines[(at + np.arange(size)) % _LINES_SIZE]


def read_header(path: Path) -> dict[str, Any]:
    """What a ring says of itself.

    Raises:
        PliantError: The file is not a ring.
        OSError: There is no such file.
    """
    with path.open("rb") as file:
        start = file.read(16)
        if start[:8] != _MAGIC:
            raise PliantError(f"{path.name} is not a ring")
        return json.loads(file.read(int.from_bytes(start[8:], "little")))


def schema(n: int) -> list[list[Any]]:
    """Names, types, shapes and offsets of a tick's columns, as JSON can hold them."""
    fields = tick_dtype(n).fields or {}
    return [
        [name, dtype.base.str, list(dtype.shape), offset]
        for name, (dtype, offset, *_) in fields.items()
    ]


def _lanes(memory: mmap.mmap, n: int, depth: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Views of the counters, the slots and the bytes of lines."""
    slots = _slot_dtype(n)
    ticks_at = _HEADER_SIZE + _PAGE
    lines_at = ticks_at + depth * slots.itemsize
    return (
        np.frombuffer(memory, _COUNTERS, 1, _HEADER_SIZE)[0],
        np.frombuffer(memory, slots, depth, ticks_at),
        np.frombuffer(memory, np.uint8, _LINES_SIZE, lines_at),
    )
