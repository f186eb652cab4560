"""The recorder as a process of a controller: it records, and watches for faults.

It is started before there is a ring, because it takes as long to start as the controller itself,
and is told on its standard input what to do when the ring is there. It answers `ready`, or why it
cannot, ends when the controller ends, and has a session of its own, so that a Ctrl-C is for the
controller alone.
"""

import contextlib
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from pliant.errors import PliantError, RecordingError
from pliant.recording.flight import FlightRecorder
from pliant.recording.follow import Beginning, Sink, follow, header
from pliant.recording.guarded import Guarded
from pliant.recording.writer import RecordingWriter
from pliant.ring.ring import RingReader

_END_TIMEOUT = 30.0
_READY = "ready"


class RecorderProcess:
    """The controller's side."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pliant.recording.recorder_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    def attach(self, ring: Path, file: Path | None, flights: Path | None) -> None:
        """Let it record a ring that has nothing in it yet.

        Args:
            ring: The ring.
            file: Where every tick goes; None not to record them.
            flights: The folder for flight recordings; None not to make any.

        Raises:
            RecordingError: It cannot; the message says why.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        job = {"ring": ring, "file": file, "flights": flights}
        told = {key: str(path) for key, path in job.items() if path is not None}
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(told) + "\n")
            self._process.stdin.close()
        said = self._process.stdout.readline().strip()
        if said != _READY:
            raise RecordingError(said or "the recorder did not start")

    def finish(self) -> None:
        """Wait until it has finished its files; the controller's end tells it to."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            self._process.stdin.close()
        try:
            self._process.wait(_END_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def main() -> None:
    """Be the recorder."""
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))
    job = sys.stdin.readline()
    if not job:
        return
    told = json.loads(job)
    try:
        ring = RingReader(Path(told["ring"]))
        sinks = list(_sinks(ring, told))
    except (PliantError, OSError) as error:
        print(error, flush=True)
        return
    print(_READY, flush=True)
    try:
        follow(ring, Beginning.in_ring(ring, 0), sinks, lambda: bool(stopped))
    except RecordingError as error:
        _say(str(error))


def _sinks(ring: RingReader, told: dict[str, str]) -> Iterator[Sink]:
    path = Path(told["ring"])
    if "flights" in told:
        # by a reader of its own, which goes back when there is a fault
        yield FlightRecorder(RingReader(path), Path(told["flights"]), path.stem, _say)
    if "file" in told:
        writer = RecordingWriter(Path(told["file"]), header(ring), ring.header["config"])
        yield Guarded(writer, _say)


def _say(text: str) -> None:
    # whoever reads this may be gone
    with contextlib.suppress(OSError):
        print(f"pliant control: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
