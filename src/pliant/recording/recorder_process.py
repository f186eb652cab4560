"""The recorder process of a controller: it records ticks and watches for faults.

The controller starts it before the ring exists, because it takes as long to start as the controller
itself. It receives its job on standard input once the ring exists, and answers `ready` or an error.
It ends when the controller ends. It runs in its own session, so Ctrl-C reaches only the controller.
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
from pliant.recording.follow import Sink, StartPoint, follow, header
from pliant.recording.guarded import Guarded
from pliant.recording.writer import RecordingWriter
from pliant.ring.ring import RingReader

_END_TIMEOUT = 30.0
_READY = "ready"


class RecorderProcess:
    """The controller's handle on its recorder process."""

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
        """Process id."""
        return self._process.pid

    def attach(self, ring: Path, file: Path | None, flights: Path | None) -> None:
        """Start recording a ring that is still empty.

        Args:
            ring: The ring.
            file: The file for every tick; None to record none.
            flights: The folder for flight recordings; None to save none.

        Raises:
            RecordingError: The recorder cannot start; the message says why.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        paths = {"ring": ring, "file": file, "flights": flights}
        job = {key: str(path) for key, path in paths.items() if path is not None}
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(job) + "\n")
            self._process.stdin.close()
        answer = self._process.stdout.readline().strip()
        if answer != _READY:
            raise RecordingError(answer or "the recorder did not start")

    def finish(self) -> None:
        """Wait until it has closed its files, which it does when the controller ends."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            self._process.stdin.close()
        try:
            self._process.wait(_END_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def main() -> None:
    """Run the recorder process."""
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))
    line = sys.stdin.readline()
    if not line:
        return
    job = json.loads(line)
    try:
        ring = RingReader(Path(job["ring"]))
        sinks = list(_sinks(ring, job))
    except (PliantError, OSError) as error:
        print(error, flush=True)
        return
    print(_READY, flush=True)
    try:
        follow(ring, StartPoint.in_ring(ring, 0), sinks, lambda: bool(stopped))
    except RecordingError as error:
        _report(str(error))


def _sinks(ring: RingReader, job: dict[str, str]) -> Iterator[Sink]:
    path = Path(job["ring"])
    if "flights" in job:
        # with a separate reader, because it goes back in time when a fault occurs
        yield FlightRecorder(RingReader(path), Path(job["flights"]), path.stem, _report)
    if "file" in job:
        writer = RecordingWriter(Path(job["file"]), header(ring), ring.header["config"])
        yield Guarded(writer, _report)


def _report(text: str) -> None:
    # the terminal may be closed already
    with contextlib.suppress(OSError):
        print(f"pliant control: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
