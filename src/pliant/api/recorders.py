"""`pliant.record(arm, file)`: record what an arm does from now on."""

import atexit
import contextlib
import subprocess
import sys
import time
from pathlib import Path
from typing import Protocol

from pliant.api.arm import Arm
from pliant.api.local_session import FastSession
from pliant.api.remote_session import RemoteSession
from pliant.errors import RecordingError
from pliant.recording.guarded import Guarded
from pliant.recording.writer import RecordingWriter

_END_TIMEOUT = 30.0


def _say(text: str) -> None:
    print(f"pliant: {text}", file=sys.stderr, flush=True)


class Recorder(Protocol):
    """A recording in the making; a context that ends it."""

    def close(self) -> None:
        """End it and finish the file. Safe to call twice.

        Raises:
            RecordingError: It ended before, because the disk was full.
        """
        ...

    def __enter__(self) -> "Recorder": ...

    def __exit__(self, *_: object) -> None: ...


def record(arm: Arm, file: str | Path) -> Recorder:
    """Record every tick of an arm, and every command, from now on.

    The recording ends with the context, with `close()`, or with the arm. A full disk ends it too,
    and not what the arm does; ending the recording then raises.

    Example:
        >>> with Arm("sim:ur5e/table") as arm, record(arm, "press.mcap"):
        ...     arm.wait(1.0)

    Raises:
        RecordingError: The file exists already, or cannot be written.
    """
    session = arm.session
    if isinstance(session, FastSession):
        return InProcessRecorder(session, Path(file))
    if isinstance(session, RemoteSession):
        return ProcessRecorder(session.name, Path(file))
    raise RecordingError(f"a {type(session).__name__} cannot be recorded")


class InProcessRecorder(Guarded):
    """Records an arm in this process, tick by tick as it computes them."""

    def __init__(self, session: FastSession, path: Path) -> None:
        header = session.about | {"start": time.time() - session.row["time"].item()}
        super().__init__(RecordingWriter(path, header, session.config_then.to_yaml()), _say)
        self._session = session
        session.watch(self)
        # a program may end without closing its arm
        atexit.register(super().close)

    def __enter__(self) -> "InProcessRecorder":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        # what went wrong in the context matters more than what went wrong here
        with contextlib.suppress(*([] if kind is None else [RecordingError])):
            self.close()

    def close(self) -> None:
        """End the recording and finish the file.

        Raises:
            RecordingError: It ended before, because the disk was full.
        """
        self._session.unwatch(self)
        super().close()
        atexit.unregister(super().close)
        failed, self.failed = self.failed, ""
        if failed:
            raise RecordingError(failed)


class ProcessRecorder:
    """Records a controller's arm by a process of its own, `pliant record`."""

    def __init__(self, name: str, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pliant.cli", "record", str(path), name],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # a Ctrl-C is for the program that has the arm; the recorder ends after it
            start_new_session=True,
        )
        assert self._process.stdout is not None
        if not self._process.stdout.readline().startswith("recording"):
            said = self._process.communicate()[1].strip().removeprefix("pliant: ")
            raise RecordingError(said or "the recorder did not start")

    def __enter__(self) -> "ProcessRecorder":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        with contextlib.suppress(*([] if kind is None else [RecordingError])):
            self.close()

    def close(self) -> None:
        """End the recording and finish the file.

        Raises:
            RecordingError: It ended before, because the disk was full, or ticks were lost.
        """
        if self._process.poll() is None:
            self._process.terminate()
        _, said = self._process.communicate(timeout=_END_TIMEOUT)
        if self._process.returncode:
            raise RecordingError(said.strip().removeprefix("pliant: "))
