"""The lanes of the ring: writing and reading rows and lines without locks.

The writer counts a tick as begun, writes it, and counts it as finished. Tick i is overwritten by
tick i + depth, so a reader's copy is valid unless that tick has begun by the end of the copy. The
lane of lines works in the same way: before the writer overwrites a record, it moves the mark of the
oldest one past it.

Only the order of these steps protects a reader. `fence` keeps it: in the compiler on every machine,
and in processors that may reorder stores or loads.
"""

from typing import Any

from numba.core.types import void
from numba.extending import intrinsic, overload

from pliant.numerics.kernels import Row, kernel
from pliant.ring.ring_file import HEAD, LONGEST_TEXT, WORDS, Place, Words
from pliant.ring.ring_layout import Counters
from pliant.tick import Rows


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
def put_tick(counters: Row[Counters], rows: Rows, tick: Rows, now: int) -> None:
    """Publish a tick that was finished now, ns."""
    c = counters[0]
    number = c.begun + 1
    c.begun = number
    fence()
    rows[number % rows.size] = tick[0]
    c.stamp = now
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
