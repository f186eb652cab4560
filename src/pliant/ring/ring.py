"""The ring: every tick and every line, in a memory-mapped file that other programs read.

The writer never waits, and does not notice readers that are slow, absent or killed. A reader that
was overtaken knows how many ticks it missed. There are two lanes: ticks, and lines (commands,
replies, events).

    page 0..15   magic, length, header as JSON: schema, arm, process
    page 16      counters
    then         the lane of ticks: `depth` rows, tick number i at i modulo depth
    then         the lane of lines: a ring of 8-byte words
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
from pliant.ring.lanes import (
    COUNTERS,
    LONGEST,
    LONGEST_TEXT,
    PLACE,
    WORDS,
    Words,
    put_line,
    put_tick,
    take_line,
    take_newest,
    take_tick,
)
from pliant.tick import Rows, new_rows, tick_dtype

RING_SECONDS = 12.0
"""How much of the past a controller's ring holds, s; a flight recording needs most of it."""

LINE_KINDS = ("command", "reply", "event", "config", "input", "holder", "end")
"""A `holder` line names the client in control, an `end` line says why the controller exits."""

_PRODUCT = b"PLIANT"
_MAGIC = _PRODUCT + b"03"
_HEADER_SIZE = 65536
_PAGE = 4096
_LAYOUT = {"n", "depth", "row_size", "columns"}
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
        if len(text) > _HEADER_SIZE - 16:
            raise PliantError("the header of the ring is too long")
        with _new_file(path, _ring_size(n, depth)) as memory:
            memory[: 16 + len(text)] = _MAGIC + len(text).to_bytes(8, "little") + text
            self._counters, self._rows, self._words = _lanes(memory, n, depth)
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
        self.header = read_header(path)
        n, depth = _checked_layout(self.header, path.name)
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size < _ring_size(n, depth):
                raise PliantError(f"the ring {path.name} is truncated")
            memory = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        self._counters, self._rows, self._words = _lanes(memory, n, depth)
        self._row = np.zeros(1, tick_dtype(n))
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


def read_header(path: Path) -> dict[str, Any]:
    """The header of a ring.

    Raises:
        PliantError: The file is not a ring, or one of another version.
        OSError: There is no such file.
    """
    with path.open("rb") as file:
        start = file.read(_HEADER_SIZE)
    if not start.startswith(_PRODUCT):
        raise PliantError(f"{path.name} is not a ring")
    if not start.startswith(_MAGIC):
        raise _other_version(path.name)
    text = start[16:][: int.from_bytes(start[8:16], "little")]
    try:
        header = json.loads(text)
    except ValueError:
        header = None
    if not isinstance(header, dict) or not header.keys() >= _LAYOUT:
        raise PliantError(f"the header of the ring {path.name} is damaged")
    return header


def schema(n: int) -> list[list[Any]]:
    """Names, types, shapes and offsets of a tick's columns, as JSON can hold them."""
    fields = tick_dtype(n).fields or {}
    return [
        [name, dtype.base.str, list(dtype.shape), offset]
        for name, (dtype, offset, *_) in fields.items()
    ]


def _checked_layout(header: dict[str, Any], name: str) -> tuple[int, int]:
    """Number of joints and depth, if the columns are those of this version."""
    n, depth = header["n"], header["depth"]
    if header["columns"] != schema(n) or header["row_size"] != tick_dtype(n).itemsize:
        raise _other_version(name)
    return n, depth


def _other_version(name: str) -> PliantError:
    return PliantError(f"the ring {name} was written by another version of Pliant")


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


def _ring_size(n: int, depth: int) -> int:
    return _HEADER_SIZE + _PAGE + depth * tick_dtype(n).itemsize + 8 * WORDS


def _lanes(memory: mmap.mmap, n: int, depth: int) -> tuple[Rows, Rows, Words]:
    """Views of the counters, the rows and the words of lines."""
    rows_at = _HEADER_SIZE + _PAGE
    words_at = rows_at + depth * tick_dtype(n).itemsize
    return (
        np.frombuffer(memory, COUNTERS, 1, _HEADER_SIZE),
        np.frombuffer(memory, tick_dtype(n), depth, rows_at),
        np.frombuffer(memory, np.int64, WORDS, words_at),
    )
