"""Record a running controller."""

import contextlib
import signal
import sys
from math import inf
from pathlib import Path
from typing import Annotated

import tyro

from pliant.errors import ConfigError, PliantError
from pliant.recording.follow import Sink, StartPoint, follow, header
from pliant.recording.guarded import Guarded
from pliant.recording.new_file import check_suffix, new_recording
from pliant.ring.discovery import controller_name, find_controllers
from pliant.ring.ring import RingReader, open_ring
from pliant.tick import Rows


def record(
    file: Annotated[Path, tyro.conf.Positional],
    name: Annotated[str, tyro.conf.Positional] = "",
    past: float = 0.0,
    first: int | None = None,
    duration: float = 0.0,
    rate: float | None = None,
    columns: tuple[str, ...] = (),
) -> None:
    """Record every tick and command of a running controller, until it ends or Ctrl-C.

    A .mcap file begins up to a second earlier, at a tick whose configuration is known.
    Exits with status 1 if ticks were lost or the disk was full; the file records that too.

    Args:
        file: The file to write: FILE.mcap, or FILE.csv for a table.
        name: Name of the controller, if more than one runs; `pliant status` lists them.
        past: Also record this much of the past, s, as far as the ring holds it.
        first: Start at this tick, as far as the ring still holds it, instead of the newest.
        duration: How long to record from now on, s; 0 records until the controller ends.
        rate: Rows per second of a CSV file; by default every tick.
        columns: Columns of a CSV file; by default wrenches, poses, joints and temperatures.
    """
    check_suffix(file)
    _check_options(file, duration, rate, columns)
    stop = _Stop()
    ring = _ring(name)
    last = ring.published - 1 + duration / ring.header["dt"] if duration else inf
    first = _first(ring, past) if first is None else first
    start = StartPoint.in_ring(ring, first)
    writer = new_recording(file, header(ring), start.config, rate, columns)
    guarded = Guarded(writer, _report)
    # a table needs no configuration
    span = _Span(guarded, first if file.suffix == ".csv" else start.k, last)
    print(f"recording {ring.header['spec']} to {file}", flush=True)
    follow(ring, start, [span], lambda: stop.requested or span.over or bool(guarded.failed))
    if not guarded.complete:
        sys.exit(1)


def _ring(name: str) -> RingReader:
    if not name and not find_controllers():
        raise PliantError("no controller is running: start one with `pliant control`")
    return open_ring(controller_name(name))


def _first(ring: RingReader, past: float) -> int:
    if past < 0.0:
        raise ConfigError(f"--past must be at least 0 s, not {past:g}")
    return max(0, ring.published - 1 - round(past / ring.header["dt"]))


def _check_options(
    file: Path, duration: float, rate: float | None, columns: tuple[str, ...]
) -> None:
    if not 0.0 <= duration < inf:
        raise ConfigError(f"--duration is a number of seconds, 0 for ever, not {duration:g}")
    if file.suffix != ".csv" and (rate is not None or columns):
        raise ConfigError(f"--rate and --columns need a CSV file, not {file.name}")


class _Span:
    """Passes on the ticks from the first to the last, and their lines."""

    def __init__(self, sink: Sink, first: int, last: float) -> None:
        self._sink, self._first, self._last = sink, first, last
        self.over = False
        self.flush, self.close = sink.flush, sink.close

    def publish(self, row: Rows) -> None:
        k = row["k"].item()
        self.over = self.over or k >= self._last
        if self._first <= k <= self._last:
            self._sink.publish(row)

    def write_line(self, kind: str, tick: int, text: str) -> None:
        if tick <= self._last:
            self._sink.write_line(kind, tick, text)


class _Stop:
    """Whether a signal requests the end."""

    def __init__(self) -> None:
        self._signals: list[int] = []
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, _: self._signals.append(number))

    @property
    def requested(self) -> bool:
        return bool(self._signals)


def _report(text: str) -> None:
    with contextlib.suppress(OSError):
        print(f"pliant record: {text}", file=sys.stderr, flush=True)


VERB = record
