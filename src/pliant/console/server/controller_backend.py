"""A controller of Pliant's, seen from the console: its ring and its socket."""

import asyncio
import contextlib
import os
import signal
import subprocess
from collections.abc import Iterable
from typing import Any

import numpy as np

from pliant.commands.line_protocol import WORDS
from pliant.config import Config, config_of_run
from pliant.console.server.backend import Backend, ClientConnection, End
from pliant.console.server.controller_connection import ControllerConnection
from pliant.controller.lease import NOBODY
from pliant.errors import PliantError, Refused
from pliant.loop.history import store_row
from pliant.ring.ring import Line, RingReader
from pliant.ring.runtime_folder import (
    RING_SUFFIX,
    SOCKET_SUFFIX,
    ProcessId,
    clean_up,
    runtime_folder,
)
from pliant.sim.scenes import SceneNominal
from pliant.tick import Rows, columns, tick_dtype

_BATCH = 2048
_STOP_TIMEOUT = 6.0
_REPLY_TIMEOUT = 1.0
_PATIENCE = 3
"""How often to look before the signal that killed a controller is known."""


class ControllerBackend(Backend):
    """Follows a controller that runs, and ends it if it is the console's own."""

    kind = "pliant"

    def __init__(
        self, name: str, *, own: bool, process: subprocess.Popen[bytes] | None = None
    ) -> None:
        """Attach to the ring.

        Args:
            name: The controller's name in the runtime folder.
            own: It ends with the console.
            process: Its process, if this console started it.

        Raises:
            PliantError: It is not there, or of another version.
        """
        self.name = name
        self._own = own
        self._process = process
        self._socket = runtime_folder() / f"{name}{SOCKET_SUFFIX}"
        try:
            self._ring = RingReader(runtime_folder() / f"{name}{RING_SUFFIX}")
        except OSError:
            raise PliantError(f"there is no controller {name}") from None
        header = self._ring.header
        self.spec = header["spec"]
        self.n, self.dt, self.laws = header["n"], header["dt"], header["laws"]
        self.scene = SceneNominal(**header["scene"]) if header["scene"] else None
        self.columns = [column for column, _, _ in columns()]
        self.watch_only = not self._socket.exists()
        self.words = [] if self.watch_only else list(WORDS)
        self._pid = ProcessId(pid=header["pid"], started=header["started"])
        self._start_config = config_of_run(header["config"])
        self._batch = np.zeros(_BATCH, tick_dtype(self.n))
        self._last_words = ""
        self._patience = _PATIENCE
        self._connection: ControllerConnection | None = None

    async def get_ready(self) -> None:
        """Find out who is in control; afterwards the ring tells."""
        # loading kernels takes tenths of a second, in which no heartbeat would be heard
        await asyncio.to_thread(self._load_kernels)
        if not self.watch_only:
            answer = await (await self._own_connection()).send("LEASE who")
            self._note_holder(answer.value)

    def ticks(self) -> Rows:
        """The ticks since the last call, or as many of them as fit."""
        count = 0
        for row in self._ring.ticks():
            store_row(row, count, self._batch)
            count += 1
            if count == _BATCH:
                break
        self.missed = self._ring.missed
        return self._batch[:count]

    def lines(self) -> list[Line]:
        """The lines since the last call."""
        lines = list(self._ring.lines())
        for line in lines:
            if line.kind == "holder":
                self._note_holder(line.text)
            elif line.kind == "end":
                self._last_words = line.text
        return lines

    def end(self) -> End | None:
        """Why it is over; None while it runs."""
        if self._ring.ended:
            self.lines()
            return End(lost=False, why=self._last_words or "the controller has ended")
        unreaped = self._process is not None and self._process.poll() is None
        if self._pid.alive or (unreaped and self._patience > 0):
            self._patience -= not self._pid.alive
            return None
        word = self._ring.last_word
        why = f"the controller was killed{self._by_what()}"
        return End(lost=True, why=f"{why}; {word}" if word else why)

    async def config(self, sections: Iterable[str] = Config.model_fields) -> dict[str, Any]:
        """The parameters in force, as the controller reports them."""
        if self.watch_only:
            return self._start_config.model_dump(mode="python", round_trip=True)
        connection = await self._own_connection()
        answers = {name: await connection.send(f"GET {name}") for name in sections}
        return {name: answer.value for name, answer in answers.items() if answer.ok}

    async def open(self, name: str) -> ClientConnection:
        """A connection for a client of that name."""
        if self.watch_only:
            raise PliantError(
                "a Python program drives this arm in simulated time; the console can only watch it"
            )
        return await ControllerConnection.open(self._socket, name)

    async def stop(self) -> None:
        """Send STOP; if it is not answered, send the signal that means the same."""
        if self.watch_only:
            raise Refused("a Python program drives this arm in simulated time: stop the program")
        with contextlib.suppress(PliantError, TimeoutError):
            connection = await self._own_connection()
            if (await asyncio.wait_for(connection.send("STOP"), _REPLY_TIMEOUT)).ok:
                return
        if self._pid.alive:
            os.kill(self._pid.pid, signal.SIGTERM)

    async def close(self) -> None:
        """Disconnect; a controller that this console started ends."""
        if self._own and self.end() is None:
            await self.stop()
            await self._await_end()
        if self._connection:
            self._connection.close()
        if self._process:
            await self._reap(self._process)

    async def _await_end(self) -> None:
        deadline = asyncio.get_running_loop().time() + _STOP_TIMEOUT
        while self._pid.alive:
            await asyncio.sleep(0.02)
            if asyncio.get_running_loop().time() > deadline:
                os.kill(self._pid.pid, signal.SIGKILL)
                deadline += _STOP_TIMEOUT

    async def _reap(self, process: "subprocess.Popen[bytes]") -> None:
        """Wait for the end of the process, and remove what it left behind if it was killed."""
        try:
            await asyncio.to_thread(process.wait, _STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            await asyncio.to_thread(process.wait)
        clean_up()

    async def _own_connection(self) -> ControllerConnection:
        if self._connection is None:
            self._connection = await ControllerConnection.open(
                self._socket, f"console-server-{os.getpid()}"
            )
        return self._connection

    def _load_kernels(self) -> None:
        reader = RingReader(runtime_folder() / f"{self.name}{RING_SUFFIX}")
        for row in reader.ticks():
            store_row(row, 0, np.zeros(1, tick_dtype(self.n)))
            break
        next(reader.lines(), None)

    def _note_holder(self, name: str) -> None:
        self.holder = "" if name == NOBODY else name

    def _by_what(self) -> str:
        code = self._process.poll() if self._process else None
        return f" by {signal.Signals(-code).name}" if code is not None and code < 0 else ""
