"""Record a running controller."""

import contextlib
import signal
import sys
import time
from pathlib import Path
from typing import Annotated

import tyro

from pliant.errors import ConfigError, PliantError
from pliant.recording.follow import Beginning, follow
from pliant.recording.guarded import Guarded
from pliant.recording.recorder_program import open_writer
from pliant.ring.discovery import controller_name, find_controllers, open_ring
from pliant.ring.ring import RingReader


def record(
    file: Annotated[Path, tyro.conf.Positional],
    name: Annotated[str, tyro.conf.Positional] = "",
    past: float = 0.0,
    first: int | None = None,
    time: float = 0.0,
    rate: float | None = None,
    columns: tuple[str, ...] = (),
) -> None:
    """Record every tick and every command of a controller until it ends, or Ctrl-C.

    Exits with status 1 if ticks were lost or the disk was full; the file says so too.

    Args:
        file: What to write: FILE.mcap, or FILE.csv for a table.
        name: Which controller, if more than one runs; `pliant status` lists them.
        past: How much of what has been is recorded too, s; the ring holds about 12.
        first: The tick to begin with, instead of the newest; what the ring still has of it.
        time: How long to record, s; 0 is until the controller ends.
        rate: Rows a second of a table; every tick if not given.
        columns: Columns of a table; poses, wrenches, joint positions and temperatures if not given.
    """
    stop = _Stop(time)
    ring = _ring(name)
    beginning = Beginning.in_ring(ring, _first(ring, past) if first is None else first)
    _check_options(file, rate, columns)
    writer = open_writer(file, ring, beginning.config.to_yaml(), rate, columns)
    guarded = Guarded(writer, _say)
    print(f"recording {ring.header['spec']} to {file}", flush=True)
    follow(ring, beginning, [guarded], lambda: stop.asked or bool(guarded.failed))
    if not guarded.complete:
        sys.exit(1)


def _ring(name: str) -> RingReader:
    if not name and not find_controllers():
        raise PliantError("no controller runs: start one with `pliant control`")
    return open_ring(controller_name(name))


def _first(ring: RingReader, past: float) -> int:
    if past < 0.0:
        raise ConfigError(f"--past is a number of seconds from 0 on, not {past:g}")
    return max(0, ring.published - 1 - round(past / ring.header["dt"]))


def _check_options(file: Path, rate: float | None, columns: tuple[str, ...]) -> None:
    if file.suffix != ".csv" and (rate is not None or columns):
        raise ConfigError(f"--rate and --columns are for tables: FILE.csv, not {file.name}")


class _Stop:
    """Whether a person, or the time, asked to end."""

    def __init__(self, seconds: float) -> None:
        self._signals: list[int] = []
        self._until = time.monotonic() + seconds if seconds else float("inf")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, _: self._signals.append(number))

    @property
    def asked(self) -> bool:
        return bool(self._signals) or time.monotonic() > self._until


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        print(f"pliant record: {text}", file=sys.stderr, flush=True)


VERB = record
