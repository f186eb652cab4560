"""The recorder program: follows a ring, writes a file and saves flight recordings."""

import contextlib
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pliant.errors import PliantError, RecordingError
from pliant.processes import Parent
from pliant.recording.flight import FlightRecorder
from pliant.recording.follow import Sink, StartPoint, follow, header
from pliant.recording.guarded import Guarded
from pliant.recording.new_file import new_recording
from pliant.ring.ring import RingReader


def main(options: dict[str, Any], parent: Parent) -> None:
    """Record until the controller ends or a signal arrives.

    Args:
        options: The options that `RecorderProcess.begin` sends.
        parent: The parent process.

    Raises:
        PliantError: There is no such ring, or the file cannot be written or is incomplete.
    """
    stopped: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _: stopped.append(received))
    path, first = Path(options["ring"]), options["first"]
    try:
        ring = RingReader(path)
    except OSError as error:
        raise PliantError(f"no ring {path.name}: {error.strerror}") from None
    # without a first tick, the ring is still empty: its controller has just started this recorder
    start = None if first is None else StartPoint.in_ring(ring, first)
    config = ring.header["config"] if start is None else start.config
    sinks = list(_sinks(ring, path, options, config))
    parent.ready()
    start = start or StartPoint.in_ring(ring, 0)
    follow(ring, start, sinks, lambda: bool(stopped) or all(map(_failed, sinks)))
    for sink in sinks:
        if isinstance(sink, Guarded) and not sink.complete:
            raise RecordingError(sink.failed or f"ticks are missing in {options['file']}")


def _sinks(ring: RingReader, path: Path, options: dict[str, Any], config: str) -> Iterator[Sink]:
    if "flights" in options:
        # with a separate reader, because it goes back in time when a fault occurs
        yield FlightRecorder(RingReader(path), Path(options["flights"]), path.stem, _report)
    if "file" in options:
        yield Guarded(new_recording(Path(options["file"]), header(ring), config), _report)


def _failed(sink: Sink) -> bool:
    return isinstance(sink, Guarded) and bool(sink.failed)


def _report(text: str) -> None:
    # standard error may be closed
    with contextlib.suppress(OSError):
        print(f"pliant: {text}", file=sys.stderr, flush=True)
