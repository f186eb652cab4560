"""The ring: every tick and every line, in sealed memory that other programs map and read.

The writer never waits, and does not notice readers that are slow, absent or killed. A reader that
was overtaken knows how many ticks it missed. There are two lanes: ticks, and lines (commands,
replies, events).
"""

import json
import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic_ns
from typing import Any

import numpy as np

from pliant.errors import PliantError
from pliant.numerics.kernels import Direct, direct
from pliant.ring.lanes import put_line, put_tick, take_line, take_newest, take_tick
from pliant.ring.ring_file import (
    COUNTERS,
    LONGEST,
    LONGEST_TEXT,
    PLACE,
    lanes_of,
    open_lanes,
    ring_size,
    schema,
)
from pliant.ring.ring_layout import HEADER_SIZE, MAGIC, RELEASED, STOPPING
from pliant.ring.runtime_folder import RING_SUFFIX, ProcessId, runtime_folder
from pliant.ring.sealed_memory import SealedMemory
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

    def __init__(
        self,
        path: Path,
        n: int,
        depth: int,
        header: dict[str, Any],
        guard: Callable[[Path], None] = lambda _: None,
    ) -> None:
        """Make the memory.

        Others find it when it is complete and sealed, so that no reader finds half of one.

        Args:
            path: Its name.
            n: Number of joints.
            depth: How many ticks it holds.
            header: What readers need to know of the arm and the run, as JSON can hold it.
            guard: Called with the place of the memory before it is sealed, so that a guardian can
                map the page on which it writes its last word.

        Raises:
            PliantError: There is no room for it, or a ring of that name exists.
        """
        self.path = path
        text = _header_text(header, n, depth)
        self._memory = SealedMemory(path, ring_size(n, depth))
        try:
            memory = self._memory.map
            memory[: 16 + len(text)] = MAGIC + len(text).to_bytes(8, "little") + text
            self._counters, self._rows, self._words, _ = lanes_of(memory, n, depth)
            self.lane = (self._counters, self._rows)
            self._put_tick = direct(put_tick, *self.lane, new_rows(n), 0)
            self._put_line = Direct(put_line)
            self._rehearse(n)
            guard(self._memory.place)
            self._memory.publish()
        except BaseException:
            self._memory.close()
            raise
        self._lines = 0

    def publish(self, tick: Rows) -> None:
        """Publish a finished tick."""
        self._put_tick(*self.lane, tick, monotonic_ns())

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Publish a line that belongs to a tick."""
        data = text.encode()[:LONGEST_TEXT]
        self._lines += 1
        head = _HEAD.pack(tick, self._lines, LINE_KINDS.index(kind), len(data))
        record = np.frombuffer(head + data + bytes(-len(data) % 8), np.int64)
        self._put_line.call(record, self._counters, self._words)

    def mark_stopping(self) -> None:
        """Tell the guardian that the backend brings the arm to rest now, and no tick follows."""
        self._counters["release"] = STOPPING

    def mark_released(self) -> None:
        """Tell the guardian that the arm was brought to rest and released."""
        self._counters["release"] = RELEASED

    def close(self) -> None:
        """Mark the ring as ended, and remove its name. Safe to call twice."""
        self._counters["ended"] = 1
        self._memory.close()

    def _rehearse(self, n: int) -> None:
        """Load every kernel, so that no tick has to."""
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
            OSError: There is no such ring.
        """
        self.header, lanes = open_lanes(path)
        self._counters, self._rows, self._words, self._guardian = lanes
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

    @property
    def guardian(self) -> int:
        """Process id of the guardian that watches the writer; 0 if there is none."""
        return int(self._guardian["pid"][0])

    @property
    def last_word(self) -> str:
        """Why the guardian stopped the arm; empty unless it did."""
        size = int(self._guardian["size"][0])
        return self._guardian["text"][0][:size].tobytes().decode(errors="replace")

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


def _header_text(header: dict[str, Any], n: int, depth: int) -> bytes:
    """The header with what every reader checks: the columns, and whose ring it is."""
    me = ProcessId.of(os.getpid())
    own = {
        "n": n,
        "depth": depth,
        "row_size": tick_dtype(n).itemsize,
        "columns": schema(n),
        "pid": os.getpid(),
        "started": me.started if me else 0,
    }
    text = json.dumps(header | own).encode()
    if len(text) > HEADER_SIZE - 16:
        raise PliantError("the header of the ring is too long")
    return text


def open_ring(name: str) -> RingReader:
    """The ring of a controller.

    Raises:
        PliantError: The ring was written by another version of Pliant.
        OSError: There is no such controller.
    """
    return RingReader(runtime_folder() / f"{name}{RING_SUFFIX}")
