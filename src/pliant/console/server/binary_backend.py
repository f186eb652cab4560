"""Another program that only speaks the protocol of the force-control demo.

Such a program sends no replies, and has no lease, no frames and no limits. The console itself holds
the lease, converts wrenches in world axes and moves in tool axes, and clamps.
"""

import asyncio
import contextlib
import re
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from pliant import commands as c
from pliant.commands.line_protocol import WORDS, parse
from pliant.commands.reply import Reply
from pliant.compat.demo_lines import translate
from pliant.compat.demo_telemetry import (
    COLUMNS,
    N_JOINTS,
    PREFIX,
    parse_telemetry,
    telemetry_row,
)
from pliant.config import Config
from pliant.console.server.backend import Answer, Backend, ClientConnection, End
from pliant.console.server.messages import StartRequest
from pliant.controller.lease import NOBODY
from pliant.errors import PliantError, Refused
from pliant.laws.hybrid_admittance import preset
from pliant.laws.hybrid_admittance.axes import axes_from_mask
from pliant.ring.ring import Line
from pliant.tick import Rows, new_rows

_PROGRAM_WORDS = ("WRENCH", "AXIS", "RELD", "REFA", "STIFF", "DAMP", "STOP")
_COMMANDS = {WORDS[word] for word in (*_PROGRAM_WORDS, "LEASE", "PING", "NAME")}
"""The commands that a viewer can give; the console itself handles the last three."""

_LONGEST_LINE = 1 << 16
_MOST_WAITING = 1 << 16
_MOST_ROWS = 1000
_FIRST_LINE = 20.0
_END = 5.0
_TICKS_A_LINE = 10


async def start_binary(request: StartRequest, allowed: tuple[str, ...]) -> "BinaryBackend":
    """Start another program and wait for its first telemetry.

    Raises:
        PliantError: The console was started without this program, or it sends no telemetry.
    """
    if request.binary not in allowed:
        raise Refused(
            f"{request.binary} may not be started from here; the console was started with "
            f"--binary {' '.join(allowed) or '(none)'}"
        )
    command = [request.binary, "--time", repr(request.duration)]
    if request.rate is not None:
        command += ["--rate", repr(request.rate)]
    if request.address:
        command.append(f"--robot-ip={request.address}")
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=_LONGEST_LINE
        )
    except OSError as error:
        raise PliantError(f"{request.binary} cannot be started: {error.strerror}") from None
    backend = BinaryBackend(request, process)
    await backend.wait_until_ready()
    return backend


class BinaryBackend(Backend):
    """Reads the telemetry of the program, and sends it the commands of the client in control."""

    kind = "binary"
    n = N_JOINTS
    scene = None

    def __init__(self, request: StartRequest, process: Process) -> None:
        self.name = Path(request.binary).name
        self.spec = request.robot
        self.dt = _TICKS_A_LINE / (request.rate or 500.0)
        self.laws: list[str] = []
        self.words = [word for word, kind in WORDS.items() if kind in _COMMANDS]
        self.columns = list(COLUMNS)
        self._process = process
        self._sign = -1.0 if request.wrench_sign == "by_tool" else 1.0
        self._rows: deque[Rows] = deque(maxlen=_MOST_ROWS)
        self._row = new_rows(N_JOINTS)
        self._asked = new_rows(N_JOINTS)
        self._count = 0
        self._lines: deque[Line] = deque(maxlen=_MOST_ROWS)
        self._said: deque[str] = deque(maxlen=5)
        self._reading = [
            asyncio.create_task(self._listen(process.stdout)),
            asyncio.create_task(self._listen(process.stderr)),
        ]

    async def wait_until_ready(self) -> None:
        """Wait for the first telemetry.

        Raises:
            PliantError: No telemetry came in time.
        """
        deadline = asyncio.get_running_loop().time() + _FIRST_LINE
        while not self._count:
            await asyncio.sleep(0.02)
            over = asyncio.get_running_loop().time() > deadline
            if over or self._process.returncode is not None:
                await self.close()
                said = f"; it said: {' '.join(self._said)}" if self._said else ""
                raise PliantError(f"{self.name} sent no telemetry{said}")

    def ticks(self) -> Rows:
        """The ticks since the last call."""
        rows = list(self._rows)
        self._rows.clear()
        return np.concatenate(rows) if rows else np.empty(0, self._row.dtype)

    def lines(self) -> list[Line]:
        """The commands, and the program's output besides telemetry, since the last call."""
        lines = list(self._lines)
        self._lines.clear()
        return lines

    def end(self) -> End | None:
        """Why the program has ended; None while it runs."""
        code = self._process.returncode
        if code is None:
            return None
        said = f": {self._said[-1]}" if self._said else ""
        return End(lost=code != 0, why=f"{self.name} ended with status {code}{said}")

    async def config(self, sections: Iterable[str] = ()) -> dict[str, Any]:
        """The documented gains of the program, which cannot be asked for them."""
        config = Config().replace("laws.hybrid_admittance", preset("force_control_demo"))
        return config.model_dump(mode="python", round_trip=True)

    async def open(self, name: str) -> ClientConnection:
        """A connection for a client of that name."""
        return _BinaryConnection(self, name)

    async def stop(self) -> None:
        """Send STOP."""
        self._write("STOP")

    async def close(self) -> None:
        """Send STOP, and terminate the program if it does not end."""
        if self._process.returncode is None:
            self._write("STOP")
            for insist in (self._process.terminate, self._process.kill):
                if await self._ended():
                    break
                with contextlib.suppress(ProcessLookupError):
                    insist()
        await self._process.wait()
        await asyncio.gather(*self._reading, return_exceptions=True)

    def execute(self, name: str, line: str) -> Reply:
        """Execute a line.

        Returns:
            The reply.

        Raises:
            Refused: The line cannot be executed.
        """
        command = parse(line)
        if type(command) not in _COMMANDS:
            raise Refused(
                f"{command.word} is not available with {self.name}; "
                f"it supports {' '.join(_PROGRAM_WORDS)}"
            )
        if isinstance(command, c.Stop):
            self._write("STOP")
            return Reply(text="stopping")
        if isinstance(command, c.Lease):
            holder = self._lease(name, command.action)
            return Reply(text=f"{holder} is in control", value=holder)
        if isinstance(command, c.Ping | c.SetName):
            return Reply(text="pong")
        self._need_lease(name)
        translated = translate(command, self._row["X_WT"][0], self._sign)
        self._write(translated.line)
        self._lines.append(Line(tick=self._count, kind="command", text=f"{name}: {line}"))
        if isinstance(command, c.SetWrench):
            self._asked["w_target"] = translated.w_T
        elif isinstance(command, c.SetAxes):
            self._asked["Tr"], self._asked["n_af"] = axes_from_mask(command.mask)
        return Reply(text=translated.text, value=translated.value)

    def release(self, name: str) -> None:
        """A client has left; the wrench target goes to zero if it was in control."""
        if self.holder == name:
            self.holder = ""
            if self._process.returncode is None:
                with contextlib.suppress(Refused):
                    self._write("WRENCH 0 0 0 0 0 0")
            self._asked["w_target"] = 0.0

    def _lease(self, name: str, action: str) -> str:
        if action == "take":
            self._need_lease(name)
        elif action == "release" and self.holder == name:
            self.holder = ""
        return self.holder or NOBODY

    def _need_lease(self, name: str) -> None:
        self.holder = self.holder or name
        if self.holder != name:
            raise Refused(f"{self.holder} is in control; any client may send STOP")

    def _write(self, line: str) -> None:
        stdin = self._process.stdin
        if stdin is None or stdin.is_closing() or self._process.returncode is not None:
            raise Refused(f"{self.name} has ended")
        if stdin.transport.get_write_buffer_size() > _MOST_WAITING:
            raise Refused(f"{self.name} does not read its commands")
        stdin.write(line.encode() + b"\n")

    async def _listen(self, stream: asyncio.StreamReader | None) -> None:
        """Read telemetry; any other output is shown as an event."""
        while stream is not None:
            try:
                data = await stream.readline()
            except ValueError:
                # asyncio skipped a line that was too long
                continue
            if not data:
                return
            self._take(data.decode(errors="replace").strip())

    def _take(self, line: str) -> None:
        text = re.sub(r"[^\x20-\x7e°·µ…]", " ", line)[:400]
        try:
            if not line.startswith(PREFIX):
                raise PliantError(text)
            groups = parse_telemetry(line)
        except PliantError as error:
            self._said.append(str(error))
            self._lines.append(Line(tick=self._count, kind="event", text=str(error)))
            return
        row = telemetry_row(groups, self._count, self.dt, self._sign)
        for name in ("w_target", "Tr", "n_af"):
            row[name] = self._asked[name]
        self._count += 1
        self._row = row
        self._rows.append(row)

    async def _ended(self) -> bool:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _END)
        return self._process.returncode is not None


class _BinaryConnection(ClientConnection):
    """A viewer's connection to the program."""

    def __init__(self, backend: BinaryBackend, name: str) -> None:
        self._backend = backend
        self._name = name

    def send(self, line: str) -> asyncio.Future[Answer]:
        """Send a line at once; the console itself replies."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        try:
            reply = self._backend.execute(self._name, line)
            answer.set_result(Answer(ok=True, text=reply.text, value=reply.value))
        except PliantError as error:
            answer.set_result(Answer(ok=False, text=str(error)))
        return answer

    def close(self) -> None:
        """Close the connection."""
        self._backend.release(self._name)
