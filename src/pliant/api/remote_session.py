"""An arm in a controller process, started by this session or by someone else."""

import contextlib
import json
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from pliant import commands as c
from pliant.api.session import Session
from pliant.arms.description import load_arm
from pliant.commands.line_protocol import write
from pliant.commands.reply import Reply
from pliant.config import Config
from pliant.errors import ArmStopped, PliantError, Refused, UnknownNameError
from pliant.loop.history import History
from pliant.ring.ring import RingReader, read_header
from pliant.ring.runtime_folder import (
    RING_SUFFIX,
    SOCKET_SUFFIX,
    ProcessId,
    clean_up,
    runtime_folder,
)
from pliant.sim.scenes import SceneNominal
from pliant.sim.spec import parse_sim_spec
from pliant.stages.supervisor import read_text
from pliant.tick import Rows

_START_TIMEOUT = 60.0
_REPLY_TIMEOUT = 5.0
_SILENCE = 0.1
"""After this long without a tick, s, it is worth asking whether the controller still runs."""

_STOP_TIMEOUT = 6.0
_CHANGES_CONFIG = (c.SetParameter, c.UsePreset, c.SetStiffness, c.SetDamping, c.SetInertia)


class RemoteSession(Session):
    """Watches the controller's ring and commands over its socket.

    With a process of its own, the end of this program, however it comes, closes the controller's
    standard input, and that stops the arm.

    Attributes:
        name: The controller's name in the runtime folder.
    """

    def __init__(
        self, name: str, history: float, process: subprocess.Popen[bytes] | None = None
    ) -> None:
        """Attach to a controller that is ready.

        Args:
            name: The controller's name in the runtime folder.
            history: How many seconds to remember.
            process: The controller, if it is to end with this session.

        Raises:
            PliantError: It is not there, or does not answer.
        """
        self.name = name
        self._process = process
        self._config: Config | None = None
        self._owed = 0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(_REPLY_TIMEOUT)
        self._replies = self._socket.makefile("rb")
        try:
            self._attach(name, history)
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise PliantError(f"no controller {name}: {error.strerror}") from None
            raise

    def _attach(self, name: str, history: float) -> None:
        folder = runtime_folder()
        self._ring = RingReader(folder / f"{name}{RING_SUFFIX}")
        header = self._ring.header
        self.arm = load_arm(parse_sim_spec(header["spec"])[0])
        self.dt = header["dt"]
        self.laws = header["laws"]
        self.scene = SceneNominal(**header["scene"])
        self.history = History(header["n"], max(2, round(history / self.dt)))
        self._controller = ProcessId(pid=header["pid"], started=header["started"])
        self._socket.connect(str(folder / f"{name}{SOCKET_SUFFIX}"))
        self._row = self._first_row()

    @property
    def row(self) -> Rows:
        """The newest tick; what led there goes into the history."""
        self._drain()
        return self._row

    @property
    def about(self) -> dict[str, Any]:
        """What a recording says of the arm."""
        return self._ring.header["about"]

    @property
    def config(self) -> Config:
        """The parameters in force, as the controller says."""
        if self._config is None:
            sections = Config.model_fields
            values = {name: json.loads(self._ask(f"GET {name}")) for name in sections}
            self._config = Config.from_dict(values)
        return self._config

    def take(self, command: c.Command) -> Reply:
        """Send a command and wait for the reply."""
        text = self._ask(write(command))
        if isinstance(command, _CHANGES_CONFIG):
            self._config = None
        self._drain()
        return Reply(text=text, value=_applied(command, text))

    def advance(self) -> Rows:
        """Sleep until the next tick.

        Raises:
            ArmStopped: The controller has ended, or publishes nothing any more.
        """
        silent_since = time.monotonic()
        while True:
            for row in self._ring.ticks():
                return self._keep(row)
            silence = time.monotonic() - silent_since
            if self._ring.ended or (silence > _SILENCE and not self._controller.alive):
                raise ArmStopped(f"the controller has ended: {self._last_words()}")
            if silence > _REPLY_TIMEOUT:
                raise ArmStopped("the controller publishes nothing any more")
            time.sleep(0.5 * self.dt)

    def published(self) -> str:
        """The controller's name."""
        return self.name

    def close(self) -> None:
        """Stop the controller if it is this session's own, else only let go of it."""
        with contextlib.suppress(OSError):
            self._socket.sendall(b"STOP\n" if self._process else b"LEASE release\n")
        self._replies.close()
        self._socket.close()
        if self._process:
            end(self._process)

    def _ask(self, line: str) -> str:
        reply = ""
        try:
            self._socket.sendall(line.encode() + b"\n")
            self._owed += 1
            # more than one if an earlier call was interrupted while it waited
            while self._owed > 0:
                reply = self._replies.readline().decode().strip()
                self._owed -= 1
        except OSError as error:
            raise ArmStopped(f"the controller does not answer: {error}") from None
        if not reply:
            self._drain()
            raise ArmStopped(f"the controller has ended: {self._last_words()}")
        verdict, _, text = reply.partition(" ")
        if verdict != "OK":
            raise Refused(text)
        return text

    def _drain(self) -> None:
        for row in self._ring.ticks():
            self._keep(row)

    def _keep(self, row: Rows) -> Rows:
        self.history.publish(row)
        self._row[0] = row[0]
        return self._row

    def _first_row(self) -> Rows:
        deadline = time.monotonic() + _REPLY_TIMEOUT
        while time.monotonic() < deadline:
            row = self._ring.latest()
            if row is not None:
                return row
            time.sleep(self.dt)
        raise PliantError("the controller publishes nothing")

    def _last_words(self) -> str:
        return read_text(self._row) or "for an unknown reason"


def start_controller(
    spec: str, config: Config, flight: bool = True
) -> tuple[str, subprocess.Popen[bytes]]:
    """Start a controller for an arm and wait until it is ready; its name and process.

    Raises:
        PliantError: It did not start; the message says what it said.
    """
    name = f"{re.sub(r'[^a-z0-9]+', '-', spec.lower())[:32]}-{os.getpid()}-{secrets.token_hex(3)}"
    with (
        tempfile.TemporaryFile() as said,
        tempfile.NamedTemporaryFile("w", suffix=".yaml") as file,
    ):
        file.write(config.to_yaml())
        file.flush()
        process = subprocess.Popen(
            [sys.executable, "-m", "pliant.cli", "control", "--robot", spec, "--config", file.name,
             "--inactive", "--stay", "--name", name, *([] if flight else ["--no-flight"])],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said,
        )  # fmt: skip
        try:
            _wait_until_ready(name, process)
        except BaseException as error:
            process.kill()
            process.wait()
            clean_up()
            if not isinstance(error, PliantError):
                raise
            said.seek(0)
            words = said.read().decode(errors="replace").strip()
            raise PliantError(f"the controller did not start: {words or error}") from None
    return name, process


def end(process: subprocess.Popen[bytes]) -> None:
    """Close a controller's input, and wait until it has stopped the arm."""
    if process.stdin:
        process.stdin.close()
    try:
        process.wait(_STOP_TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.returncode < 0:
        clean_up()


def find_controllers() -> list[str]:
    """The names of the controllers that run."""
    clean_up()
    rings = runtime_folder().glob(f"*{RING_SUFFIX}")
    return sorted(ring.stem for ring in rings if _is_readable(ring))


def _is_readable(ring: Path) -> bool:
    """Whether a ring can be read; it may be of another version, or just have gone."""
    try:
        read_header(ring)
    except (OSError, ValueError, PliantError):
        return False
    return True


def controller_name(wanted: str) -> str:
    """The controller that is meant by a name, or by no name if there is only one.

    Raises:
        UnknownNameError: There is none of that name, or it is not clear which.
    """
    running = find_controllers()
    if wanted in running:
        return wanted
    if not wanted and len(running) == 1:
        return running[0]
    if not wanted and not running:
        raise Refused("no controller runs: start one with `pliant control`")
    raise UnknownNameError("controller", wanted, running)


def _wait_until_ready(name: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_TIMEOUT
    path: Path = runtime_folder() / f"{name}{RING_SUFFIX}"
    ring = None
    while time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.02)
        if ring is None:
            try:
                ring = RingReader(path)
                ring.rewind()
            except (OSError, ValueError, PliantError):
                continue
        if any(line.text.startswith("ready") for line in ring.lines()):
            return
    raise PliantError("not ready")


def _applied(command: c.Command, text: str) -> object:
    """The value in a reply that a caller may want back."""
    if isinstance(command, c.SetWrench):
        numbers = re.findall(r"-?\d[\d.e+-]*", text)[:6]
        return np.array([float(number) for number in numbers])
    return None
