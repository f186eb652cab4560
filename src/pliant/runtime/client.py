"""An arm in a controller process, started by this session or by someone else."""

import contextlib
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import yaml

from pliant import commands as c
from pliant.config import Config
from pliant.errors import ArmStopped, PliantError, Refused, UnknownNameError
from pliant.runtime.folder import RING_SUFFIX, SOCKET_SUFFIX, clean_up, runtime_folder
from pliant.runtime.history import History
from pliant.runtime.protocol import write
from pliant.runtime.ring import RingReader
from pliant.runtime.session import Session
from pliant.sim.scenes import SceneNominal
from pliant.supervisor import Reply
from pliant.tick import Rows

_START_TIMEOUT = 60.0
_REPLY_TIMEOUT = 5.0
_STOP_TIMEOUT = 6.0
_CHANGES_CONFIG = (c.SetParameter, c.UsePreset, c.SetStiffness, c.SetDamping, c.SetInertia)


class RemoteSession(Session):
    """Watches the controller's ring and commands over its socket.

    With a process of its own, the end of this program, however it comes, closes the controller's
    standard input, and that stops the arm.
    """

    def __init__(
        self, name: str, history: float, process: subprocess.Popen[bytes] | None = None
    ) -> None:
        """Attach to a controller that is ready.

        Args:
            name: The controller's name in the runtime folder.
            history: How many seconds to remember.
            process: The controller, if it is to end with this session.
        """
        folder = runtime_folder()
        self._process = process
        self._ring = RingReader(folder / f"{name}{RING_SUFFIX}")
        header = self._ring.header
        self.dt = header["dt"]
        self.laws = header["laws"]
        self.scene = SceneNominal(**header["scene"])
        self.history = History(header["n"], max(2, round(history / self.dt)))
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(_REPLY_TIMEOUT)
        self._socket.connect(str(folder / f"{name}{SOCKET_SUFFIX}"))
        self._replies = self._socket.makefile("rb")
        self._config: Config | None = None
        self._row = self._first_row()

    @property
    def row(self) -> Rows:
        """The newest tick; what led there goes into the history."""
        self._drain()
        return self._row

    @property
    def config(self) -> Config:
        """The parameters in force, as the controller says."""
        if self._config is None:
            sections = Config.model_fields
            values = {name: yaml.safe_load(self._ask(f"GET {name}")) for name in sections}
            self._config = Config.from_dict(values)
        return self._config

    def take(self, command: c.Command) -> Reply:
        """Send a command and wait for the reply."""
        text = self._ask(write(command))
        if isinstance(command, _CHANGES_CONFIG):
            self._config = None
        self._drain()
        return Reply(text=text, applied=_applied(command, text))

    def advance(self) -> Rows:
        """Sleep until the next tick.

        Raises:
            ArmStopped: The controller has ended.
        """
        while True:
            for row in self._ring.ticks():
                return self._keep(row)
            if self._ring.ended or self._died():
                raise ArmStopped(f"the controller has ended: {self._last_words()}")
            time.sleep(0.5 * self.dt)

    def close(self) -> None:
        """Stop the controller if it is this session's own, else only let go of it."""
        with contextlib.suppress(OSError):
            self._socket.sendall(b"STOP\n" if self._process else b"LEASE release\n")
        self._replies.close()
        self._socket.close()
        if self._process:
            end(self._process)

    def _ask(self, line: str) -> str:
        try:
            self._socket.sendall(line.encode() + b"\n")
            reply = self._replies.readline().decode().strip()
        except OSError as error:
            raise ArmStopped(f"the controller does not answer: {error}") from None
        if not reply:
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

    def _died(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    def _last_words(self) -> str:
        from pliant.supervisor.supervisor import read_text

        return read_text(self._row) or "for an unknown reason"


def start_controller(spec: str, config: Config) -> tuple[str, subprocess.Popen[bytes]]:
    """Start a controller for an arm and wait until it is ready; its name and process.

    Raises:
        PliantError: It did not start; the message says what it said.
    """
    name = f"{re.sub(r'[^a-z0-9]+', '-', spec.lower())}-{os.getpid()}-{secrets.token_hex(3)}"
    with (
        tempfile.TemporaryFile() as said,
        tempfile.NamedTemporaryFile("w", suffix=".yaml") as file,
    ):
        file.write(config.to_yaml())
        file.flush()
        process = subprocess.Popen(
            [sys.executable, "-m", "pliant.cli", "control", "--robot", spec, "--config", file.name,
             "--inactive", "--stay", "--name", name],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said,
        )  # fmt: skip
        try:
            _wait_until_ready(name, process)
        except PliantError:
            process.kill()
            process.wait()
            said.seek(0)
            raise PliantError(f"the controller did not start: {said.read().decode()}") from None
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


def find_controllers() -> list[str]:
    """The names of the controllers that run."""
    clean_up()
    return sorted(path.stem for path in runtime_folder().glob(f"*{RING_SUFFIX}"))


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
