"""Recordings from the console: a recorder process beside the controller."""

import asyncio
import contextlib
import signal
import sys
import tempfile
import time
from asyncio.subprocess import Process
from importlib.util import find_spec
from pathlib import Path

from pliant.console.server.backend import Backend
from pliant.console.server.messages import Recording, RecordRequest
from pliant.errors import PliantError, Refused

_END_TIMEOUT = 5.0
_FIRST_BYTES = 20.0
_PLOT_TIMEOUT = 60.0


class Recorder:
    """Starts and ends `pliant record` for the arm that runs.

    Attributes:
        folder: Where the recordings are; nothing outside it is ever touched.
        can_plot: Recordings can be drawn.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.can_plot = find_spec("pliant.cli.plot") is not None
        self._can_record = find_spec("pliant.cli.record") is not None
        self._process: Process | None = None
        self._path = folder
        self._began = 0.0
        self._drawing = asyncio.Lock()

    def available(self, backend: Backend | None) -> bool:
        """Whether what runs can be recorded."""
        return self._can_record and backend is not None and backend.kind == "pliant"

    def progress(self) -> Recording | None:
        """The recording that is being made."""
        if self._process is None or self._process.returncode is not None:
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
        if process is None or process.returncode is not None:
            return
        # however short, it is recorded
        await self._begun(process)
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)
        try:
            await asyncio.wait_for(process.wait(), _END_TIMEOUT)
        except TimeoutError:
            process.kill()
            await process.wait()

    async def plot(self, recording: Path) -> bytes:
        """A recording as a picture, drawn by a process of its own, one at a time.

        Raises:
            PliantError: It cannot be drawn.
        """
        async with self._drawing:
            with tempfile.TemporaryDirectory() as folder:
                picture = Path(folder) / "plot.png"
                command = ["plot", str(recording), "--out", str(picture)]
                process = await _pliant(*command)
                try:
                    _, said = await asyncio.wait_for(process.communicate(), _PLOT_TIMEOUT)
                except BaseException:
                    process.kill()
                    await process.wait()
                    raise
                if process.returncode != 0:
                    raise PliantError(_last_words(said))
                return picture.read_bytes()

    def _new_file(self, message: RecordRequest) -> Path:
        """A file in the folder that does not exist yet."""
        suffix = f".{message.format}"
        stem = message.name or time.strftime("%Y-%m-%d_%H-%M-%S")
        path = self.folder / f"{stem.removesuffix(suffix)}{suffix}"
        if path.exists():
            raise Refused(f"there is a recording {path.name} already; give another name")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PliantError(f"no recordings folder {self.folder}: {error.strerror}") from None
        return path

    async def _begin(self, backend: Backend, k: int) -> None:
        self._began = time.monotonic()
        command = ["record", str(self._path), backend.name, "--first", str(k)]
        self._process = process = await _pliant(*command)
        if not await self._begun(process):
            said = await process.stderr.read() if process.stderr else b""
            raise PliantError(f"not recorded: {_last_words(said)}")

    async def _begun(self, process: Process) -> bool:
        """Wait until there is a file; whether there will be one."""
        deadline = self._began + _FIRST_BYTES
        while not self._path.exists() and time.monotonic() < deadline:
            if process.returncode is not None:
                return False
            await asyncio.sleep(0.02)
        return True


async def _pliant(*arguments: str) -> Process:
    """One of Pliant's other verbs, beside the console."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "pliant.cli", *arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )


def _last_words(said: bytes) -> str:
    lines = said.decode(errors="replace").strip().splitlines() or ["it said nothing"]
    return lines[-1].removeprefix("pliant: ")[-300:]
