"""The file of a ring: its header and where its lanes are. Needs NumPy alone.

page 0..15   magic, length, header as JSON: schema, arm, process
page 16      counters
then         the lane of ticks: `depth` rows, tick number i at i modulo depth
then         the lane of lines: a ring of 8-byte words
"""

import json
import mmap
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.errors import PliantError
from pliant.tick import Rows, tick_dtype

_PRODUCT = b"PLIANT"
MAGIC = _PRODUCT + b"03"
HEADER_SIZE = 65536
_PAGE = 4096
_LAYOUT = {"n", "depth", "row_size", "columns"}

Words = NDArray[np.int64]

WORDS = 1 << 19
"""Size of the lane of lines: 4 MB, ten seconds of a command and its reply every millisecond."""

HEAD = 4
"""Words before the text of a line: tick, number of the line, kind, bytes of text."""

LONGEST_TEXT = 1 << 16
LONGEST = HEAD + LONGEST_TEXT // 8


class Counters:
    """Counters of the writer.

    Attributes:
        begun: Ticks begun.
        ticks: Ticks finished.
        oldest: Start of the oldest complete line, in words since the beginning.
        words: Start of the next line, in words since the beginning.
        ended: 1 once the ring is closed.
    """

    begun: int
    ticks: int
    oldest: int
    words: int
    ended: int


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


def read_header(path: Path) -> dict[str, Any]:
    """The header of a ring.

    Raises:
        PliantError: The file is not a ring, or one of another version.
        OSError: There is no such file.
    """
    with path.open("rb") as file:
        start = file.read(HEADER_SIZE)
    if not start.startswith(_PRODUCT):
        raise PliantError(f"{path.name} is not a ring")
    if not start.startswith(MAGIC):
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


def open_lanes(path: Path) -> tuple[dict[str, Any], Rows, Rows, Words]:
    """Map a ring read-only: its header, counters, rows and the words of lines.

    Raises:
        PliantError: It is no ring, is incomplete, or was written by another version.
        OSError: There is no such file.
    """
    header = read_header(path)
    n, depth = _checked_layout(header, path.name)
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size < ring_size(n, depth):
            raise PliantError(f"the ring {path.name} is truncated")
        memory = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    return header, *lanes_of(memory, n, depth)


def ring_size(n: int, depth: int) -> int:
    """Bytes of a ring for n joints that holds a number of ticks."""
    return HEADER_SIZE + _PAGE + depth * tick_dtype(n).itemsize + 8 * WORDS


def lanes_of(memory: mmap.mmap, n: int, depth: int) -> tuple[Rows, Rows, Words]:
    """Views of the counters, the rows and the words of lines."""
    rows_at = HEADER_SIZE + _PAGE
    words_at = rows_at + depth * tick_dtype(n).itemsize
    return (
        np.frombuffer(memory, COUNTERS, 1, HEADER_SIZE),
        np.frombuffer(memory, tick_dtype(n), depth, rows_at),
        np.frombuffer(memory, np.int64, WORDS, words_at),
    )
