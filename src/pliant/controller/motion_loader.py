"""Loads motions for a running controller, in a process beside it that a thread waits for."""

import contextlib
import select
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import PIPE
from typing import Any

import numpy as np

from pliant.config import Config
from pliant.errors import ConfigError, PliantError, refusing_errors
from pliant.processes import Child
from pliant.recording.flight import flight_folder
from pliant.stages.reference.playable_motion import PlayableMotion

LONGEST = 30.0
"""Longest time to read a motion, s."""

_PATIENCE = 1.0


def motion_folders(given: Sequence[Path], record: Path | None) -> tuple[Path, ...]:
    """The folders that motions named by clients are read from, absolute.

    Args:
        given: Those that the operator chose; without any, the working directory and the folders of
            recordings.
        record: The file that the controller records to.
    """
    if given:
        return tuple(folder.expanduser().absolute() for folder in given)
    recordings = [record.absolute().parent if record else None, flight_folder()]
    chosen = [Path.cwd(), *(folder.absolute() for folder in recordings if folder)]
    # a service runs in the root folder, which is no choice
    return tuple(folder for folder in dict.fromkeys(chosen) if folder != Path("/"))


class MotionLoader:
    """Reads one motion at a time; the loop's thread only starts it and takes the result."""

    def __init__(self, spec: str, folders: Sequence[Path]) -> None:
        """Make a loader.

        Args:
            spec: Which robot, as on a command line.
            folders: Where motions may be.
        """
        self._spec, self._folders = spec, [str(folder) for folder in folders]
        self._reading: _Reading | None = None
        self._last: _Reading | None = None

    def start(self, file: str, config: Config, on_done: Callable[[], None]) -> None:
        """Start to read a motion.

        Args:
            file: Its file, as the configuration names it.
            config: The configuration in force.
            on_done: Called when the result is there, in another thread.

        Raises:
            ConfigError: Another motion is being read.
        """
        if self._reading is not None:
            raise ConfigError("another motion is being read: wait")
        options = {
            "spec": self._spec,
            "folders": self._folders,
            "file": file,
            "tool": config.tool.model_dump(mode="json"),
            "mass_scale": config.model.mass_scale,
        }
        self._reading = _Reading(options, on_done)

    @property
    def done(self) -> bool:
        """Whether a result is there."""
        return self._reading is not None and self._reading.done

    def take(self) -> PlayableMotion:
        """The motion that was read.

        Raises:
            PliantError: It cannot be read or replayed.
        """
        reading, self._reading = self._reading, None
        assert reading is not None
        if reading.error is not None:
            raise reading.error
        assert reading.motion is not None
        return reading.motion

    def cancel(self) -> None:
        """Forget a motion that is being read; its process ends soon."""
        if self._reading is not None:
            self._reading.cancelled = True
            self._last, self._reading = self._reading, None

    def close(self) -> None:
        """Forget a motion that is being read, and wait for the end of its process."""
        self.cancel()
        if self._last is not None:
            self._last.thread.join(_PATIENCE)


class _Reading:
    """One motion being read."""

    def __init__(self, options: dict[str, Any], on_done: Callable[[], None]) -> None:
        self.motion: PlayableMotion | None = None
        self.error: PliantError | None = None
        self.done = self.cancelled = False
        self._options, self._on_done = options, on_done
        self.thread = threading.Thread(target=self._run, daemon=True, name="motion loader")
        self.thread.start()

    def _run(self) -> None:
        try:
            with refusing_errors():
                self.motion = self._read()
        except PliantError as error:
            self.error = error
        self.done = True
        self._on_done()

    def _read(self) -> PlayableMotion:
        deadline = time.monotonic() + LONGEST
        child = Child("motion_reader", stdout=PIPE)
        try:
            child.send(self._options)
            while (found := child.poll()) is None:
                self._wait(None, deadline)
            size = found["samples"] * (1 + found["columns"])
            numbers = np.empty(size)
            self._fill(numbers.data.cast("B"), child, deadline)
        finally:
            child.process.kill()
            child.close()
            if child.process.stdout:
                child.process.stdout.close()
            # one that hangs in the file system cannot be waited for
            with contextlib.suppress(Exception):
                child.process.wait(_PATIENCE)
        time_and_table = np.split(numbers, [found["samples"]])
        return PlayableMotion(
            file=self._options["file"],
            time=time_and_table[0],
            table=time_and_table[1].reshape(found["samples"], found["columns"]),
            has_torque=found["torque"],
        )

    def _fill(self, buffer: memoryview, child: Child, deadline: float) -> None:
        pipe: Any = child.process.stdout
        filled = 0
        while filled < len(buffer):
            self._wait(pipe, deadline)
            # a pipe's worth at a time, so that Python's lock is never held for long
            count = pipe.raw.readinto(buffer[filled : filled + (1 << 16)]) or 0
            if not count:
                raise ConfigError(f"the reader of {self._options['file']} ended early")
            filled += count

    def _wait(self, pipe: Any, deadline: float) -> None:
        """Wait a moment, or until a pipe is readable."""
        if self.cancelled:
            raise ConfigError("it is no longer wanted")
        left = deadline - time.monotonic()
        if left < 0.0:
            raise ConfigError(f"{self._options['file']} was not read within {LONGEST:g} s")
        if pipe is None:
            time.sleep(min(0.01, left))
        else:
            select.select([pipe], [], [], left)
