"""Following a ring: every tick and every line of a controller, until it ends."""

import json
import time
from collections.abc import Callable
from typing import Any, Protocol

from pliant.config import Config
from pliant.errors import RecordingError
from pliant.loop.publisher import Publisher
from pliant.ring.ring import Line, RingReader
from pliant.ring.runtime_folder import ProcessId

_PERIOD = 0.05
"""How often the ring is looked at, s; it holds more than ten."""

_FLUSH = 0.5
"""How long what was taken may stay out of the file, s."""

_FIRST_LINE = 30.0
"""How long a controller may take from its ring to its first tick, s."""


class Sink(Publisher, Protocol):
    """Where ticks and lines go."""

    def flush(self) -> None:
        """Bring everything taken so far to where it belongs."""
        ...

    def close(self) -> None:
        """Nothing more will come."""
        ...


class Beginning:
    """Where a recording can begin: at a tick of which the configuration is known.

    Attributes:
        k: Number of the first tick.
        config: The configuration in force at that tick.
        lines: What was said since.
    """

    def __init__(self, lines: list[Line], k: int) -> None:
        """Find it among lines, at least one of them a configuration.

        Args:
            lines: All lines that are still there.
            k: The tick at which to begin, or before it, as far as there are lines.
        """
        known = [line for line in lines if line.kind == "config"]
        line = max((x for x in known if x.tick <= k), key=lambda x: x.tick, default=known[0])
        self.k = line.tick
        self.config = Config.from_dict(json.loads(line.text))
        self.lines = lines[lines.index(line) :]

    @classmethod
    def in_ring(cls, ring: RingReader, k: int) -> "Beginning":
        """Find it in a ring, whose reader is then ready to go on from there.

        Raises:
            RecordingError: The controller does not begin.
        """
        return cls(_lines_with_config(ring), k)


def follow(
    ring: RingReader,
    beginning: Beginning,
    sinks: list[Sink],
    stopped: Callable[[], bool] = lambda: False,
) -> None:
    """Pass on every tick and line until the controller ends.

    Args:
        ring: The ring, as its beginning left it.
        beginning: Where to begin.
        sinks: Where to pass them; they are closed at the end.
        stopped: Whether to end before the controller does.
    """
    for line in beginning.lines:
        _pass_line(line, sinks)
    flushed = time.monotonic()
    ended = False
    while not ended:
        # what was published before the end was seen is still to be taken
        ended = stopped() or not alive(ring)
        drain(ring, beginning.k, sinks)
        if time.monotonic() - flushed > _FLUSH:
            for sink in sinks:
                sink.flush()
            flushed = time.monotonic()
        if not ended:
            time.sleep(_PERIOD)
    for sink in sinks:
        sink.close()


def drain(ring: RingReader, first: int, sinks: list[Sink]) -> None:
    """Pass on what there is, from tick number `first` on."""
    k = first
    for row in ring.ticks():
        k = row["k"].item()
        if k >= first:
            for sink in sinks:
                sink.publish(row)
    missed = ring.missed_lines
    for line in ring.lines():
        _pass_line(line, sinks)
    if ring.missed_lines > missed:
        more = ring.missed_lines - missed
        _pass_line(Line(tick=k, kind="lost", text=f"{more} lines are missing here"), sinks)


def _pass_line(line: Line, sinks: list[Sink]) -> None:
    for sink in sinks:
        sink.write_line(line.kind, line.tick, line.text)


def alive(ring: RingReader) -> bool:
    """Whether more can come."""
    writer = ProcessId(pid=ring.header["pid"], started=ring.header["started"])
    return not ring.ended and writer.alive


def _lines_with_config(ring: RingReader) -> list[Line]:
    """All lines that are there, at least one of them a configuration."""
    deadline = time.monotonic() + _FIRST_LINE
    ring.rewind()
    lines = list(ring.lines())
    while not any(line.kind == "config" for line in lines):
        if time.monotonic() > deadline or not alive(ring):
            raise RecordingError("the controller has not begun: there is nothing to record")
        time.sleep(0.01)
        lines += ring.lines()
    return lines


def header(ring: RingReader) -> dict[str, Any]:
    """What a recording says of the arm that a ring is about."""
    row = ring.latest()
    return ring.header["about"] | {
        "start": time.time() - (0.0 if row is None else row["time"].item())
    }
