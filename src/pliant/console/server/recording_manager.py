"""Recordings from the console: a recorder process beside the controller."""

import asyncio
import contextlib
import tempfile
import time
from pathlib import Path

from pliant.console.server.backend import Backend
from pliant.console.server.messages import Recording, RecordRequest
from pliant.errors import PliantError, RecordingError, Refused
from pliant.processes import Child
from pliant.recording.recorder_process import RecorderProcess
from pliant.ring.runtime_folder import RING_SUFFIX, runtime_folder

_LOOK = 0.02
_PLOT_TIMEOUT = 60.0


class RecordingManager:
    """Starts and ends `pliant record` for the arm that runs.

    Attributes:
        folder: Where the recordings are; nothing outside it is ever touched.
        can_plot: Recordings can be drawn.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.can_plot = True
        self._process: RecorderProcess | None = None
        self._begun = asyncio.Event()
        self._path = folder
        self._began = 0.0
        self._drawing = asyncio.Lock()

    def available(self, backend: Backend | None) -> bool:
        """Whether what runs can be recorded."""
        return backend is not None and backend.kind == "pliant"

    def progress(self) -> Recording | None:
        """The recording that is being made."""
        if self._process is None or not self._process.running:
            return None
        size = self._path.stat().st_size if self._path.exists() else 0
        return Recording(
            name=self._path.name, bytes=size, seconds=round(time.monotonic() - self._began, 1)
        )

    async def request(self, message: RecordRequest, backend: Backend | None, k: int) -> str:
        """Begin or end a recording; what was done, in words.

        Args:
            message: What is asked for.
            backend: What runs.
            k: The tick at which it was asked for: nothing after it is lost, though the recorder
                takes a second or two to start, because the ring remembers.

        Raises:
            PliantError: It cannot be done.
        """
        if message.action == "stop":
            if self.progress() is None:
                raise Refused("nothing is being recorded")
            await self.stop()
            return f"recorded {self._path.name}"
        if backend is None or not self.available(backend):
            raise Refused("what runs cannot be recorded")
        if self.progress() is not None:
            raise Refused(f"{self._path.name} is being recorded: stop that first")
        self._path = self._new_file(message)
        await self._begin(backend, k)
        return f"recording {self._path.name}"

    async def stop(self) -> None:
        """End the recording, if one is being made."""
        process = self._process
        if process is None or not process.running:
            return
        # a recording that has just been asked for is made, however short
        await self._begun.wait()
        process.stop()
        with contextlib.suppress(RecordingError):
            await asyncio.to_thread(process.result)

    async def plot(self, recording: Path) -> bytes:
        """A recording as a picture, drawn by a process of its own, one at a time.

        Raises:
            PliantError: It cannot be drawn.
        """
        async with self._drawing:
            with tempfile.TemporaryDirectory() as folder:
                picture = Path(folder) / "plot.png"
                child = Child("plotter")
                child.send({"recording": str(recording), "picture": str(picture)})
                try:
                    await asyncio.to_thread(child.result, _PLOT_TIMEOUT)
                except BaseException:
                    child.kill()
                    raise
                return picture.read_bytes()

    def _new_file(self, message: RecordRequest) -> Path:
        """A file in the folder that does not exist yet."""
        suffix = f".{message.format}"
        stem = message.name or time.strftime("%Y-%m-%d_%H-%M-%S")
        path = self.folder / f"{stem.removesuffix(suffix)}{suffix}"
        if path.exists():
            raise Refused(f"there is a recording {path.name} already; give another name")
        try:
            # a new folder is the user's own
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise PliantError(f"no recordings folder {self.folder}: {error.strerror}") from None
        return path

    async def _begin(self, backend: Backend, k: int) -> None:
        self._began = time.monotonic()
        self._begun.clear()
        self._process = process = RecorderProcess()
        process.begin(runtime_folder() / f"{backend.name}{RING_SUFFIX}", self._path, first=k)
        try:
            while not process.has_begun():
                await asyncio.sleep(_LOOK)
        except RecordingError as error:
            raise PliantError(f"not recorded: {error}") from None
        finally:
            self._begun.set()
