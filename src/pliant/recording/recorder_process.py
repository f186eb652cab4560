"""The recorder as a process beside a controller: it records, and saves what led to a fault.

It is started before there is a ring, because it takes as long to start as the controller itself.
It has a session of its own, so that a Ctrl-C reaches the controller alone, and ends with it.
"""

import contextlib
import subprocess
from pathlib import Path
from typing import Any

from pliant.errors import PliantError, RecordingError
from pliant.processes import Child

_READY_TIMEOUT = 60.0
_END_TIMEOUT = 30.0


class RecorderProcess:
    """A recorder that runs in a process of its own."""

    def __init__(self, **popen: Any) -> None:
        """Start it; it waits for a ring.

        Args:
            **popen: Arguments of `subprocess.Popen`.
        """
        # what it reports is for the person who started the controller
        popen.setdefault("stderr", None)
        self._child = Child("recorder", start_new_session=True, **popen)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._child.process.pid

    @property
    def running(self) -> bool:
        """Whether it still runs."""
        return self._child.process.poll() is None

    def begin(
        self,
        ring: Path,
        file: Path | None = None,
        flights: Path | None = None,
        first: int | None = None,
    ) -> None:
        """Let it record a ring.

        Args:
            ring: The ring.
            file: Where every tick goes, as MCAP or, by its suffix, as CSV; None records none.
            flights: The folder for flight recordings; None saves none.
            first: The first tick of a ring that is in use; None for one that is still empty.
        """
        paths = {"ring": ring, "file": file, "flights": flights}
        named = {key: str(path) for key, path in paths.items() if path is not None}
        self._child.send(named | {"first": first})

    def has_begun(self) -> bool:
        """Whether it records.

        Raises:
            RecordingError: It cannot; the message says why.
        """
        try:
            return self._child.poll() is not None
        except PliantError as error:
            raise RecordingError(str(error)) from None

    def attach(self, ring: Path, file: Path | None, flights: Path | None) -> None:
        """Let it record a ring that has nothing in it yet, and wait until it does.

        Raises:
            RecordingError: It cannot; the message says why.
        """
        self.begin(ring, file, flights)
        self.wait_begun()

    def wait_begun(self) -> None:
        """Wait until it records.

        Raises:
            RecordingError: It cannot; the message says why.
        """
        try:
            self._child.wait_ready(_READY_TIMEOUT)
        except PliantError as error:
            raise RecordingError(str(error)) from None

    def stop(self) -> None:
        """Tell it to finish its files."""
        if self.running:
            self._child.process.terminate()

    def result(self) -> None:
        """Wait until it has finished its files.

        Raises:
            RecordingError: Ticks were lost, or the disk was full.
        """
        try:
            self._child.result(_END_TIMEOUT)
        except (PliantError, subprocess.TimeoutExpired) as error:
            raise RecordingError(str(error)) from None

    def finish(self) -> None:
        """Wait until it has finished its files, which it does when the controller ends."""
        self._child.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.process.wait(_END_TIMEOUT)
            return
        self._child.kill()
