"""The lanes of the ring: writing and reading rows and lines without locks.

The writer counts a tick as begun, writes it, and counts it as finished. Tick i is overwritten by
tick i + depth, so a reader's copy is valid unless that tick has begun by the end of the copy. The
lane of lines works in the same way: before the writer overwrites a record, it moves the mark of the
oldest one past it.

Only the order of these steps protects a reader. `fence` keeps it: in the compiler on every machine,
and in processors that may reorder stores or loads.
"""

from typing import Any

import numpy as np
from numba.core.types import void
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from pliant.numerics.kernels import Row, kernel
from pliant.tick import Rows

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


def fence() -> None:
    """Keep memory accesses before it before those after it; plain Python does so anyway."""


def _typed_fence(_context):
    def generate(context, builder, _signature, _arguments):
        # no load or store passes it in either direction; free on x86
        builder.fence("acq_rel")
        return context.get_dummy_value()

    return void(), generate


_fence: Any = intrinsic(_typed_fence)


@overload(fence)
def _compiled_fence():
    return lambda: _fence()


@kernel
def put_tick(counters: Row[Counters], rows: Rows, tick: Rows) -> None:
    """Publish a tick."""
    c = counters[0]
    number = c.begun + 1
    c.begun = number
    fence()
    rows[number % rows.size] = tick[0]
    fence()
    c.ticks = number


@kernel
def take_tick(counters: Row[Counters], rows: Rows, place: Row[Place], out: Rows) -> bool:
    """Copy the next tick in the ring; False if there is none yet."""
    c, p = counters[0], place[0]
    while p.tick <= c.ticks:
        number = p.tick
        fence()
        out[0] = rows[number % rows.size]
        fence()
        oldest = c.begun - rows.size + 1
        if number >= oldest:
            p.tick = number + 1
            return True
        p.missed += oldest - number
        p.tick = oldest
    return False


@kernel
def take_newest(counters: Row[Counters], rows: Rows, out: Rows) -> bool:
    """Copy the newest tick; False if there is none yet."""
    c = counters[0]
    while c.ticks > 0:
        number = c.ticks
        fence()
        out[0] = rows[number % rows.size]
        fence()
        if number > c.begun - rows.size:
            return True
    return False


@kernel
def put_line(record: Words, counters: Row[Counters], words: Words) -> None:
    """Publish a line: its head and its text, in whole words."""
    c = counters[0]
    start, end, oldest = c.words, c.words + record.size, c.oldest
    while end - oldest > WORDS:
        oldest += HEAD + (words[(oldest + HEAD - 1) % WORDS] + 7) // 8
    c.oldest = oldest
    fence()
    for i in range(record.size):
        words[(start + i) % WORDS] = record[i]
    fence()
    c.words = end


@kernel
def take_line(counters: Row[Counters], words: Words, place: Row[Place], out: Words) -> bool:
    """Copy the next line in the ring, head and text; False if there is none yet."""
    c, p = counters[0], place[0]
    while p.word < c.words:
        start = p.word
        fence()
        for i in range(HEAD):
            out[i] = words[(start + i) % WORDS]
        # the size of an overwritten line may be anything
        count = HEAD + (min(max(out[HEAD - 1], 0), LONGEST_TEXT) + 7) // 8
        for i in range(HEAD, count):
            out[i] = words[(start + i) % WORDS]
        fence()
        if start < c.oldest:
            p.word = c.oldest
            continue
        p.word = start + count
        if p.line > 0:
            p.missed_lines += out[1] - p.line
        p.line = out[1] + 1
        return True
    return False
