"""Follows a ring: passes on every tick and line of a controller until it ends."""

import json
import time
from collections.abc import Callable
from typing import Any, Protocol

from pliant.errors import RecordingError
from pliant.loop.publisher import Publisher
from pliant.ring.ring import Line, RingReader
from pliant.ring.runtime_folder import ProcessId

_PERIOD = 0.05
"""Polling period, s; the ring holds more than 10 s."""

_FLUSH = 0.5
"""Longest time that data stays in memory before it is written, s."""

_START_TIMEOUT = 30.0
"""Longest time from the creation of the ring to the first tick, s."""


class Sink(Publisher, Protocol):
    """Receives ticks and lines."""

    def flush(self) -> None:
        """Write everything received so far."""
        ...

    def close(self) -> None:
        """Finish: nothing more will be received."""
        ...


class StartPoint:
    """A tick at which a recording can start, because its configuration is known.

    Attributes:
        k: Number of the first tick.
        lines: The lines from that tick on.
    """

    def __init__(self, lines: list[Line], k: int) -> None:
        """Find the last configuration at or before tick k, or else the oldest one.

        Args:
            lines: All lines that are still available, at least one of them a configuration.
            k: The tick at which to start.
        """
        known = [line for line in lines if line.kind == "config"]
        line = max((x for x in known if x.tick <= k), key=lambda x: x.tick, default=known[0])
        self.k = line.tick
        self._config = line.text
        self.lines = lines[lines.index(line) :]

    @property
    def config(self) -> str:
        """The configuration in force at that tick, as YAML."""
        # imported here, because it takes long, and the recorder of a new controller needs none yet
        from pliant.config import config_of_run

        return config_of_run(json.loads(self._config)).to_yaml()

    @classmethod
    def in_ring(cls, ring: RingReader, k: int) -> "StartPoint":
        """Find the start point in a ring, and leave its reader ready to continue from there.

        Raises:
            RecordingError: The controller does not start.
        """
        return cls(_lines_with_config(ring), k)


def follow(
    ring: RingReader,
    start: StartPoint,
    sinks: list[Sink],
    stopped: Callable[[], bool] = lambda: False,
) -> None:
    """Pass on every tick and line until the controller ends.

    Args:
        ring: The reader that was used to find the start point.
        start: Where to start.
        sinks: The receivers; they are closed at the end.
        stopped: Returns True to stop before the controller ends.
    """
    for line in start.lines:
        _pass_line(line, sinks)
    flushed = time.monotonic()
    ended = False
    while not ended:
        # checked before draining, so that the last ticks before the end are passed on too
        ended = stopped() or not alive(ring)
        drain(ring, start.k, sinks)
        if time.monotonic() - flushed > _FLUSH:
            for sink in sinks:
                sink.flush()
            flushed = time.monotonic()
        if not ended:
            time.sleep(_PERIOD)
    for sink in sinks:
        sink.close()


def drain(ring: RingReader, first: int, sinks: list[Sink]) -> None:
    """Pass on everything available, from tick number `first` on."""
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
    """Whether the controller can still publish."""
    writer = ProcessId(pid=ring.header["pid"], started=ring.header["started"])
    return not ring.ended and writer.alive


def _lines_with_config(ring: RingReader) -> list[Line]:
    """All available lines, after waiting until one of them is a configuration."""
    deadline = time.monotonic() + _START_TIMEOUT
    ring.rewind()
    lines = list(ring.lines())
    while not any(line.kind == "config" for line in lines):
        if time.monotonic() > deadline or not alive(ring):
            raise RecordingError("the controller has not started: there is nothing to record")
        time.sleep(0.01)
        lines += ring.lines()
    return lines


def header(ring: RingReader) -> dict[str, Any]:
    """Header of a recording made from a ring."""
    row = ring.latest()
    return ring.header["about"] | {
        "start": time.time() - (0.0 if row is None else row["time"].item())
    }
