"""A writer whose failure does not disturb what is being recorded."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from pliant.errors import RecordingError
from pliant.tick import Rows


class Writer(Protocol):
    """Writes ticks and lines to a file.

    Attributes:
        path: The file.
        lost: Number of ticks missing between those it was given.
    """

    path: Path
    lost: int

    def publish(self, tick: Rows) -> None:
        """Add a tick."""
        ...

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Add a line that belongs to a tick."""
        ...

    def flush(self) -> None:
        """Write everything received so far to the file."""
        ...

    def close(self) -> None:
        """Write what is pending and close the file."""
        ...


class Guarded:
    """Wraps a writer so that a full disk ends the recording and nothing else.

    Attributes:
        failed: Why the recording ended early; empty if it did not.
    """

    def __init__(self, writer: Writer, report: Callable[[str], None]) -> None:
        """Guard a writer.

        Args:
            writer: The writer.
            report: Called with messages for the user.
        """
        self.failed = ""
        self._writer = writer
        self._report = report
        self._reported_lost = 0
        self._open = True

    @property
    def complete(self) -> bool:
        """Whether every tick so far was received and written."""
        return not self.failed and not self._writer.lost

    def publish(self, tick: Rows) -> None:
        """Add a tick."""
        if self._open:
            try:
                self._writer.publish(tick)
            except RecordingError as error:
                self._fail(error)

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Add a line."""
        if self._open:
            self._writer.write_line(kind, tick, text)

    def flush(self) -> None:
        """Write everything received so far to the file."""
        if self._open:
            try:
                self._writer.flush()
            except RecordingError as error:
                self._fail(error)
            self._report_lost()

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        if self._open:
            self._open = False
            try:
                self._writer.close()
            except RecordingError as error:
                self._report_failure(error)
            self._report_lost()

    def _fail(self, error: RecordingError) -> None:
        self._open = False
        self._report_failure(error)
        with contextlib.suppress(RecordingError):
            self._writer.close()

    def _report_failure(self, error: RecordingError) -> None:
        self.failed = f"the recording ended: {error}"
        self._report(self.failed)

    def _report_lost(self) -> None:
        more = self._writer.lost - self._reported_lost
        if more:
            self._reported_lost = self._writer.lost
            self._report(f"LOST {more} ticks: {self._writer.path} lacks them and marks where")
