"""A writer that may fail without harm to what is recorded."""

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
        lost: How many ticks were missing between those it was given.
    """

    path: Path
    lost: int

    def publish(self, tick: Rows) -> None:
        """Take a tick."""
        ...

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Take a line that belongs to a tick."""
        ...

    def flush(self) -> None:
        """Bring everything taken so far to the file."""
        ...

    def close(self) -> None:
        """Write what is left and finish the file."""
        ...


class Guarded:
    """A writer whose disk may be full: that ends the recording, and nothing else.

    Attributes:
        failed: Why the recording ended by itself; empty if it did not.
    """

    def __init__(self, writer: Writer, say: Callable[[str], None]) -> None:
        """Guard a writer.

        Args:
            writer: What writes.
            say: Called with what a person should know.
        """
        self.failed = ""
        self._writer = writer
        self._say = say
        self._told = 0
        self._open = True

    @property
    def complete(self) -> bool:
        """Whether every tick given so far, and every one between them, was written."""
        return not self.failed and not self._writer.lost

    def publish(self, tick: Rows) -> None:
        """Take a tick."""
        if self._open:
            try:
                self._writer.publish(tick)
            except RecordingError as error:
                self._fail(error)

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Take a line."""
        if self._open:
            self._writer.write_line(kind, tick, text)

    def flush(self) -> None:
        """Bring everything taken so far to the file."""
        if self._open:
            try:
                self._writer.flush()
            except RecordingError as error:
                self._fail(error)
            self._tell_lost()

    def close(self) -> None:
        """Finish the file. Safe to call twice."""
        if self._open:
            self._open = False
            try:
                self._writer.close()
            except RecordingError as error:
                self._tell_failed(error)
            self._tell_lost()

    def _fail(self, error: RecordingError) -> None:
        self._open = False
        self._tell_failed(error)
        with contextlib.suppress(RecordingError):
            self._writer.close()

    def _tell_failed(self, error: RecordingError) -> None:
        self.failed = f"the recording ended: {error}"
        self._say(self.failed)

    def _tell_lost(self) -> None:
        more = self._writer.lost - self._told
        if more:
            self._told = self._writer.lost
            self._say(f"LOST {more} ticks: {self._writer.path} lacks them, and says where")
