"""The flight recorder: saves the last ten seconds before every fault."""

import os
import re
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from pliant.errors import RecordingError
from pliant.loop.history import History
from pliant.reasons import State
from pliant.recording.follow import StartPoint, alive, header
from pliant.recording.writer import RecordingWriter
from pliant.ring.ring import RingReader
from pliant.stages.supervisor import read_text
from pliant.tick import Rows

BEFORE = 10.0
"""Time saved before a fault, s."""

AFTER = 0.5
"""Time saved after a fault, s, if the arm keeps running."""

KEPT = 20
"""Number of flight recordings kept; the oldest are deleted."""

_PATIENCE = 1.0
"""How long to wait for the last word of a guardian, s."""

_NAME = re.compile(r".+-\d{8}T\d{6}Z-\d+(-\d+)?\.mcap")


class FlightRecorder:
    """Watches the ticks of a ring for faults, and saves the seconds before each one."""

    def __init__(
        self, ring: RingReader, folder: Path, name: str, report: Callable[[str], None]
    ) -> None:
        """Set up the recorder.

        Args:
            ring: A separate reader of the ring, which goes back in time when a fault occurs.
            folder: The folder for the recordings.
            name: Prefix of their file names.
            report: Called with messages for the user.
        """
        self._ring = ring
        self._folder = folder
        self._name = name
        self._report = report
        self._seen = -1.0
        self._fault: tuple[int, str] | None = None
        self._due = 0
        self._last = -1

    def publish(self, tick: Rows) -> None:
        """Detect the first tick of a fault, and save it once enough ticks have followed."""
        k = self._last = tick["k"].item()
        if tick["state"].item() == State.FAULT and tick["state_since"].item() != self._seen:
            self._seen = tick["state_since"].item()
            self._fault = self._fault or (k, read_text(tick))
            self._due = k + round(AFTER / tick["dt"].item())
        if self._fault and k >= self._due:
            self._save()

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Do nothing: lines are read from the ring when a fault is saved."""

    def flush(self) -> None:
        """Do nothing: nothing is buffered."""

    def close(self) -> None:
        """Save a pending fault; a controller that was killed counts as one."""
        if self._last >= 0 and not self._ring.ended and not alive(self._ring):
            self._fault = self._fault or (self._last, self._last_word())
            self._due = self._last
        if self._fault:
            self._save()

    def _last_word(self) -> str:
        """Why a controller was killed, as its guardian says, which may notice a moment later."""
        deadline = time.monotonic() + _PATIENCE
        while self._ring.guardian and not self._ring.last_word and time.monotonic() < deadline:
            time.sleep(0.01)
        return self._ring.last_word or "the controller was killed"

    def _save(self) -> None:
        assert self._fault is not None
        (k, reason), self._fault = self._fault, None
        try:
            path = self._write(k, reason)
            self._report(f"fault: {reason}; flight recording: {path}")
        except RecordingError as error:
            self._report(f"fault: {reason}; no flight recording: {error}")

    def _write(self, k: int, reason: str) -> Path:
        ring = self._ring
        start = StartPoint.in_ring(ring, k - round(BEFORE / ring.header["dt"]))
        path = _new_path(self._folder, self._name, k)
        metadata = header(ring) | {"fault": reason, "fault_tick": k}
        writer = RecordingWriter(path, metadata, start.config)
        for row in ring.ticks():
            if start.k <= row["k"].item() <= self._due:
                writer.publish(row)
        for line in [*start.lines, *ring.lines()]:
            writer.write_line(line.kind, line.tick, line.text)
        writer.close()
        return path


def save_flight(rows: History, metadata: dict[str, Any], k: int, reason: str, folder: Path) -> Path:
    """Save the last ten seconds of an arm in this process.

    Args:
        rows: The history of the arm's ticks and lines.
        metadata: Header of the recording.
        k: The tick of the fault.
        reason: Its reason.
        folder: The folder for the recording.

    Raises:
        RecordingError: The recording cannot be written.
    """
    dt = metadata["dt"]
    start = StartPoint(list(rows.lines), k - round(BEFORE / dt))
    # other programs may save the flight of an equal arm in the same second
    path = _new_path(folder, f"{metadata['arm']}-{os.getpid()}", k)
    fault = {"start": time.time() - k * dt, "fault": reason, "fault_tick": k}
    writer = RecordingWriter(path, metadata | fault, start.config)
    saved = rows.since((start.k - 0.5) * dt)
    for i in range(len(saved)):
        writer.publish(saved[i : i + 1])
    for line in start.lines:
        writer.write_line(line.kind, line.tick, line.text)
    writer.close()
    return path


def _new_path(folder: Path, name: str, k: int) -> Path:
    """Path of a new recording, after deleting the oldest ones to make room for it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        flights = [path for path in folder.iterdir() if _NAME.fullmatch(path.name)]
        flights.sort(key=lambda path: path.stat().st_mtime)
        for path in flights[: max(0, len(flights) - KEPT + 1)]:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise RecordingError(f"cannot write to {folder}: {error.strerror}") from None
    stem = f"{name}-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{k}"
    names = (f"{stem}{f'-{number}' if number > 1 else ''}.mcap" for number in count(1))
    return next(path for path in (folder / each for each in names) if not path.exists())
