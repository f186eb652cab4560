"""A ring's memory as arrays: its header and its lanes. Needs NumPy alone."""

import json
import mmap
import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pliant.errors import PliantError
from pliant.ring.ring_layout import (
    GUARDIAN_AT,
    HEADER_SIZE,
    LONGEST_WORD,
    MAGIC,
    PAGE,
    PRODUCT,
    Counters,
    GuardianWords,
)
from pliant.ring.runtime_folder import ProcessId
from pliant.ring.sealed_memory import open_sealed
from pliant.tick import Rows, tick_dtype

_NUMBERS = ("n", "depth", "row_size", "pid", "started")
_LAYOUT = {*_NUMBERS, "columns"}

Words = NDArray[np.int64]

WORDS = 1 << 19
"""Size of the lane of lines: 4 MB, ten seconds of a command and its reply every millisecond."""

HEAD = 4
"""Words before the text of a line: tick, number of the line, kind, bytes of text."""

LONGEST_TEXT = 1 << 16
LONGEST = HEAD + LONGEST_TEXT // 8


class Place:
    """Position of a reader.

    Attributes:
        tick: The next tick to read.
        missed: Ticks overwritten before they could be read.
        word: Start of the next line, in words since the beginning.
        line: The number of that line; 0 if not known.
        missed_lines: Lines overwritten before they could be read.
    """

    tick: int
    missed: int
    word: int
    line: int
    missed_lines: int


def _dtype_of(declared: type) -> np.dtype:
    return np.dtype((np.record, [(name, "i8") for name in declared.__annotations__]))


COUNTERS = _dtype_of(Counters)
PLACE = _dtype_of(Place)
GUARDIAN = np.dtype(
    [*[(name, "i8") for name in GuardianWords.__annotations__], ("text", "u1", LONGEST_WORD)]
)


class Lanes(NamedTuple):
    """Views of a ring's memory.

    Attributes:
        counters: Counters of the writer.
        rows: The lane of ticks.
        words: The lane of lines.
        guardian: What the guardian says.
    """

    counters: Rows
    rows: Rows
    words: Words
    guardian: Rows


def read_header(path: Path) -> dict[str, Any]:
    """The header of a ring.

    Raises:
        PliantError: It is no ring, or one of another version or process.
        OSError: There is no such ring.
    """
    descriptor, owner = open_sealed(path)
    try:
        return _header(descriptor, owner, path.name)
    finally:
        os.close(descriptor)


def _header(descriptor: int, owner: int, name: str) -> dict[str, Any]:
    start = os.pread(descriptor, HEADER_SIZE, 0)
    if not start.startswith(PRODUCT):
        raise PliantError(f"{name} is not a ring")
    if not start.startswith(MAGIC):
        raise _other_version(name)
    text = start[16:][: int.from_bytes(start[8:16], "little")]
    try:
        header = json.loads(text)
    except ValueError:
        header = None
    if not isinstance(header, dict) or not _is_complete(header):
        raise PliantError(f"the header of the ring {name} is damaged")
    if ProcessId.of(owner) != ProcessId(pid=header["pid"], started=header["started"]):
        raise PliantError(f"the ring {name} belongs to another process than it says")
    return header


def _is_complete(header: dict[str, Any]) -> bool:
    """Whether a header has what a reader needs: all numbers are whole, and not absurd."""
    if not header.keys() >= _LAYOUT:
        return False
    return all(type(header[name]) is int and header[name] >= 1 for name in _NUMBERS)


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


def open_lanes(path: Path) -> tuple[dict[str, Any], Lanes]:
    """Map a ring read-only: its header and its lanes.

    Raises:
        PliantError: It is no ring, is incomplete, or was written by another version.
        OSError: There is no such ring.
    """
    descriptor, owner = open_sealed(path)
    try:
        header = _header(descriptor, owner, path.name)
        n, depth = _checked_layout(header, path.name)
        if os.fstat(descriptor).st_size < ring_size(n, depth):
            raise PliantError(f"the ring {path.name} is truncated")
        memory = mmap.mmap(descriptor, 0, prot=mmap.PROT_READ)
    finally:
        os.close(descriptor)
    return header, lanes_of(memory, n, depth)


def ring_size(n: int, depth: int) -> int:
    """Bytes of a ring for n joints that holds a number of ticks."""
    return HEADER_SIZE + PAGE + depth * tick_dtype(n).itemsize + 8 * WORDS


def lanes_of(memory: mmap.mmap, n: int, depth: int) -> Lanes:
    """Views of a ring's memory."""
    rows_at = HEADER_SIZE + PAGE
    words_at = rows_at + depth * tick_dtype(n).itemsize
    return Lanes(
        counters=np.frombuffer(memory, COUNTERS, 1, HEADER_SIZE),
        rows=np.frombuffer(memory, tick_dtype(n), depth, rows_at),
        words=np.frombuffer(memory, np.int64, WORDS, words_at),
        guardian=np.frombuffer(memory, GUARDIAN, 1, HEADER_SIZE + GUARDIAN_AT),
    )
