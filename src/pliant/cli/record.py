"""Record a running controller."""

import contextlib
import signal
import sys
import time
from math import inf
from pathlib import Path
from typing import Annotated

import tyro

from pliant.errors import ConfigError, PliantError
from pliant.recording.follow import StartPoint, follow, header
from pliant.recording.guarded import Guarded
from pliant.recording.new_file import check_suffix, new_recording
from pliant.ring.discovery import controller_name, find_controllers
from pliant.ring.ring import RingReader, open_ring


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

    Exits with status 1 if ticks were lost or the disk was full; the file records that too.

    Args:
        file: The file to write: FILE.mcap, or FILE.csv for a table.
        name: Name of the controller, if more than one runs; `pliant status` lists them.
        past: Also record this much of the past, s, as far as the ring holds it.
        first: Start at this tick, as far as the ring still holds it, instead of the newest.
        duration: How long to record, s; 0 records until the controller ends.
        rate: Rows per second of a CSV file; by default every tick.
        columns: Columns of a CSV file; by default wrenches, poses, joints and temperatures.
    """
    check_suffix(file)
    _check_options(file, duration, rate, columns)
    stop = _Stop(duration)
    ring = _ring(name)
    start = StartPoint.in_ring(ring, _first(ring, past) if first is None else first)
    writer = new_recording(file, header(ring), start.config, rate, columns)
    guarded = Guarded(writer, _report)
    print(f"recording {ring.header['spec']} to {file}", flush=True)
    follow(ring, start, [guarded], lambda: stop.requested or bool(guarded.failed))
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


class _Stop:
    """Whether a signal or the time limit requests the end."""

    def __init__(self, seconds: float) -> None:
        self._signals: list[int] = []
        self._until = time.monotonic() + seconds if seconds else inf
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, _: self._signals.append(number))

    @property
    def requested(self) -> bool:
        return bool(self._signals) or time.monotonic() > self._until


def _report(text: str) -> None:
    with contextlib.suppress(OSError):
        print(f"pliant record: {text}", file=sys.stderr, flush=True)


VERB = record
