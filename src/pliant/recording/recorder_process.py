"""The recorder process of a controller: it records ticks and saves flight recordings.

`controller/recorder_start.py` says when it is started. It ends with the controller. It runs in its
own session, so Ctrl-C reaches only the controller.
"""

import subprocess
from pathlib import Path
from typing import Any

from pliant.errors import PliantError, RecordingError
from pliant.processes import Child

_READY_TIMEOUT = 60.0
_END_TIMEOUT = 30.0


class RecorderProcess:
    """A recorder in a separate process.

    Attributes:
        child: The process.
        recording: Whether it has begun to record.
    """

    def __init__(self, **popen: Any) -> None:
        """Start the process; it waits for a ring.

        Args:
            **popen: Arguments of `subprocess.Popen`.
        """
        # what it reports is for the person who started the controller
        popen.setdefault("stderr", None)
        self.recording = False
        self.child = Child("recorder", start_new_session=True, **popen)

    @property
    def pid(self) -> int:
        """Process id."""
        return self.child.process.pid

    @property
    def running(self) -> bool:
        """Whether it still runs."""
        return self.child.process.poll() is None

    def begin(
        self,
        ring: Path,
        file: Path | None = None,
        flights: Path | None = None,
        first: int | None = None,
    ) -> None:
        """Start recording a ring.

        Args:
            ring: The ring.
            file: The file for every tick, MCAP or CSV by its suffix; None to record none.
            flights: The folder for flight recordings; None to save none.
            first: The first tick to record of a ring in use; None for an empty ring.
        """
        paths = {"ring": ring, "file": file, "flights": flights}
        given = {key: str(path) for key, path in paths.items() if path is not None}
        self.child.send(given | {"first": first})

    def has_begun(self) -> bool:
        """Whether it is recording.

        Raises:
            RecordingError: It cannot record; the message says why.
        """
        try:
            return self.child.poll() is not None
        except PliantError as error:
            raise RecordingError(str(error)) from None

    def attach(self, ring: Path, file: Path | None, flights: Path | None) -> None:
        """Start recording a ring that is still empty, and wait until the recorder is ready.

        Raises:
            RecordingError: It cannot record; the message says why.
        """
        self.begin(ring, file, flights)
        self.wait_begun()

    def wait_begun(self) -> None:
        """Wait until it is recording.

        Raises:
            RecordingError: It cannot record; the message says why.
        """
        try:
            self.child.wait_ready(_READY_TIMEOUT)
        except PliantError as error:
            raise RecordingError(str(error)) from None
        self.recording = True

    def stop(self) -> None:
        """Request that it closes its files and ends."""
        if self.running:
            self.child.process.terminate()

    def result(self) -> None:
        """Wait until it has closed its files.

        Raises:
            RecordingError: Ticks were lost, or the disk was full.
        """
        try:
            self.child.result(_END_TIMEOUT)
        except (PliantError, subprocess.TimeoutExpired) as error:
            raise RecordingError(str(error)) from None

    def finish(self) -> None:
        """Wait until it has closed its files, which it does when the controller ends."""
        self.child.finish(_END_TIMEOUT)
