"""The flight recorder: the last ten seconds before any fault are saved by themselves."""

import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pliant.errors import RecordingError
from pliant.loop.history import History
from pliant.recording.follow import Beginning, alive, header
from pliant.recording.writer import RecordingWriter
from pliant.ring.ring import RingReader
from pliant.stages.supervisor import State, read_text
from pliant.tick import Rows

BEFORE = 10.0
"""How much is saved from before a fault, s."""

AFTER = 0.5
"""How much is saved from after it, s, if the arm goes on."""

KEPT = 20
"""How many flight recordings stay; the oldest go."""

_FOLDER = "PLIANT_FLIGHT_DIR"
_NAME = re.compile(r".+-\d{8}T\d{6}Z-\d+\.mcap")


def flight_folder() -> Path | None:
    """Where flight recordings go; None if they are switched off.

    `PLIANT_FLIGHT_DIR` names the folder, and switches them off if it is empty; otherwise it is
    `pliant/flights` in the folder for the state of programs, `~/.local/state`.
    """
    chosen = os.environ.get(_FOLDER)
    if chosen is not None:
        return Path(chosen) if chosen else None
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "pliant" / "flights"


class FlightRecorder:
    """Watches the ticks of a ring for faults, and saves from the ring what led to each."""

    def __init__(
        self, ring: RingReader, folder: Path, name: str, say: Callable[[str], None]
    ) -> None:
        """Watch.

        Args:
            ring: The ring, by a reader of its own: what led to a fault is read when it happens.
            folder: Where the recordings go.
            name: How their names begin.
            say: Called with what a person should know.
        """
        self._ring = ring
        self._folder = folder
        self._name = name
        self._say = say
        self._seen = -1.0
        self._fault: tuple[int, str] | None = None
        self._due = 0
        self._last = -1

    def publish(self, tick: Rows) -> None:
        """See whether this is the first tick of a fault, or enough after one."""
        k = self._last = tick["k"].item()
        if tick["state"].item() == State.FAULT and tick["state_since"].item() != self._seen:
            self._seen = tick["state_since"].item()
            self._fault = self._fault or (k, read_text(tick))
            self._due = k + round(AFTER / tick["dt"].item())
        if self._fault and k >= self._due:
            self._save()

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Lines are read from the ring when they are needed."""

    def flush(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Save a fault that was the last thing to happen; to be killed is one."""
        if self._last >= 0 and not self._ring.ended and not alive(self._ring):
            self._fault = self._fault or (self._last, "the controller was killed")
            self._due = self._last
        if self._fault:
            self._save()

    def _save(self) -> None:
        assert self._fault is not None
        (k, reason), self._fault = self._fault, None
        try:
            path = self._write(k, reason)
            self._say(f"fault: {reason}; what led to it: {path}")
        except RecordingError as error:
            self._say(f"fault: {reason}; no flight recording: {error}")

    def _write(self, k: int, reason: str) -> Path:
        ring = self._ring
        beginning = Beginning.in_ring(ring, k - round(BEFORE / ring.header["dt"]))
        path = _new_path(self._folder, self._name, k)
        told = header(ring) | {"fault": reason, "fault_tick": k}
        writer = RecordingWriter(path, told, beginning.config.to_yaml())
        for row in ring.ticks():
            if beginning.k <= row["k"].item() <= self._due:
                writer.publish(row)
        for line in [*beginning.lines, *ring.lines()]:
            writer.write_line(line.kind, line.tick, line.text)
        writer.close()
        return path


def save_flight(rows: History, metadata: dict[str, Any], k: int, reason: str, folder: Path) -> Path:
    """Save the last ten seconds of an arm in this process.

    Args:
        rows: The ticks and lines that the arm remembers.
        metadata: What a recording says of the arm.
        k: The tick of the fault.
        reason: Its reason.
        folder: Where the recording goes.

    Raises:
        RecordingError: There is no room for it.
    """
    dt = metadata["dt"]
    beginning = Beginning(list(rows.lines), k - round(BEFORE / dt))
    path = _new_path(folder, metadata["arm"], k)
    fault = {"start": time.time() - k * dt, "fault": reason, "fault_tick": k}
    writer = RecordingWriter(path, metadata | fault, beginning.config.to_yaml())
    saved = rows.since((beginning.k - 0.5) * dt)
    for i in range(len(saved)):
        writer.publish(saved[i : i + 1])
    for line in beginning.lines:
        writer.write_line(line.kind, line.tick, line.text)
    writer.close()
    return path


def _new_path(folder: Path, name: str, k: int) -> Path:
    """A name for a new recording, and room for it: the oldest ones go."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        mine = [path for path in folder.iterdir() if _NAME.fullmatch(path.name)]
        mine.sort(key=lambda path: path.stat().st_mtime)
        for path in mine[: max(0, len(mine) - KEPT + 1)]:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise RecordingError(f"cannot write to {folder}: {error.strerror}") from None
    return folder / f"{name}-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{k}.mcap"
