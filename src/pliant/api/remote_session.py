"""An arm in a controller process, started by this session or by another program."""

import contextlib
import time
from pathlib import Path
from typing import Any

from pliant import commands as c
from pliant.api.session import Recorder, Session
from pliant.commands.reply import Reply
from pliant.config import Config, config_of_run
from pliant.controller.launch import end_controller, launch_controller, unique_name
from pliant.controller.line_connection import LineConnection
from pliant.controller.options import ControlOptions
from pliant.errors import ArmStopped, PliantError
from pliant.loop.history import History
from pliant.processes import Child
from pliant.recording.recorder_process import RecorderProcess
from pliant.ring.ring import open_ring
from pliant.ring.runtime_folder import RING_SUFFIX, ProcessId, clean_up, runtime_folder
from pliant.robots.registry import describe_robot
from pliant.sim.scenes import SceneNominal
from pliant.stages.supervisor import read_text
from pliant.tick import Rows

_START_TIMEOUT = 60.0
_REPLY_TIMEOUT = 5.0
_SILENCE = 0.1
"""After this long without a tick, s, the session looks whether the controller still runs."""


class RemoteSession(Session):
    """Watches the controller's ring and commands over its socket.

    A controller that the session started stops the arm when this program ends, however it ends:
    that closes the controller's standard input.

    Attributes:
        name: The controller's name in the runtime folder.
    """

    def __init__(self, name: str, history: float, child: Child | None = None) -> None:
        """Attach to a controller that is ready.

        Args:
            name: The controller's name in the runtime folder.
            history: How many seconds to remember.
            child: The controller's process, if it is to end with this session.

        Raises:
            PliantError: The controller is not there, or does not answer.
        """
        self.name = name
        self._child = child
        self._config: Config | None = None
        self._connection: LineConnection | None = None
        try:
            self._attach(name, history)
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise PliantError(f"no controller {name}: {error.strerror}") from None
            raise

    def _attach(self, name: str, history: float) -> None:
        self._ring = open_ring(name)
        header = self._ring.header
        self.arm = describe_robot(header["spec"])
        self.dt = header["dt"]
        self.laws = header["laws"]
        self.scene = SceneNominal(**header["scene"]) if header["scene"] else None
        self.history = History(header["n"], max(2, round(history / self.dt)))
        self._controller = ProcessId(pid=header["pid"], started=header["started"])
        self._connection = LineConnection(name, _REPLY_TIMEOUT)
        self._row = self._first_row()

    @property
    def row(self) -> Rows:
        """The newest tick; those before it go into the history."""
        self._drain()
        return self._row

    @property
    def metadata(self) -> dict[str, Any]:
        """What a recording says of the arm."""
        return self._ring.header["about"]

    @property
    def config(self) -> Config:
        """The parameters in force, as the controller reports them."""
        if self._config is None:
            sections = Config.model_fields
            values = {name: self._ask(c.GetParameter(path=name)).value for name in sections}
            self._config = config_of_run(values)
        return self._config

    def take(self, command: c.Command) -> Reply:
        """Send a command and wait for the reply."""
        reply = self._ask(command)
        if command.changes_config:
            self._config = None
        self._drain()
        if isinstance(command, c.Activate | c.UsePreset):
            # the next tick says which law is active
            self.advance()
        return reply

    def advance(self) -> Rows:
        """Sleep until the next tick.

        Raises:
            ArmStopped: The controller has ended, or no longer publishes ticks.
        """
        silent_since = time.monotonic()
        while True:
            for row in self._ring.ticks():
                return self._keep(row)
            silence = time.monotonic() - silent_since
            if self._ring.ended or (silence > _SILENCE and not self._controller.alive):
                raise ArmStopped(f"the controller has ended: {self._last_reason()}")
            if silence > _REPLY_TIMEOUT:
                raise ArmStopped("the controller no longer publishes ticks")
            time.sleep(0.5 * self.dt)

    def published(self) -> str:
        """The controller's name."""
        return self.name

    def record(self, file: Path) -> "RemoteRecorder":
        """Record the arm from now on, by a process beside the controller."""
        return RemoteRecorder(self.name, file, self._ring.published)

    def close(self, *, failed: bool = False) -> None:
        """Disconnect; a controller that this session started stops the arm and ends.

        Args:
            failed: Whether the program failed. Then control is not given back, and another
                program's controller brings the arm to rest.
        """
        if self._connection:
            if self._child or not failed:
                with contextlib.suppress(OSError):
                    self._connection.send(c.Stop() if self._child else c.Lease(action="release"))
            self._connection.close()
        if self._child:
            end_controller(self._child.process)
            self._child.close()

    def _ask(self, command: c.Command) -> Reply:
        assert self._connection is not None
        try:
            return self._connection.ask(command)
        except ArmStopped as stopped:
            self._drain()
            raise ArmStopped(f"{stopped.reason}: {self._last_reason()}") from None

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
        raise PliantError(f"no tick from the controller within {_REPLY_TIMEOUT:g} s")

    def _last_reason(self) -> str:
        return self._ring.last_word or read_text(self._row) or "for an unknown reason"


class RemoteRecorder(Recorder):
    """Records a controller's arm by a process of its own."""

    def __init__(self, name: str, path: Path, published: int) -> None:
        self._process = RecorderProcess()
        self._process.begin(
            runtime_folder() / f"{name}{RING_SUFFIX}", path.absolute(), first=max(0, published - 1)
        )
        self._process.wait_begun()

    def close(self) -> None:
        """End the recording and finish the file.

        Raises:
            RecordingError: It ended before, because the disk was full, or ticks were lost.
        """
        self._process.stop()
        self._process.result()


def start_session(
    spec: str,
    config: Config,
    laws: tuple[str, ...],
    history: float,
    flight: bool,
    motions: tuple[Path, ...] = (),
) -> RemoteSession:
    """Start a controller for a robot, wait until it is ready and attach to it.

    Args:
        spec: Which robot.
        config: The configuration, settled for it.
        laws: Laws of the user's own, as files and classes.
        history: How many seconds to remember.
        flight: Whether to save the seconds before a fault.
        motions: Folders that motions are read from.

    Raises:
        PliantError: It did not start; the message says why.
    """
    name = unique_name(spec)
    options = ControlOptions(
        robot=spec,
        laws=laws,
        inactive=True,
        stay=True,
        name=name,
        no_flight=not flight,
        motions=motions,
    )
    child = launch_controller(options, config, stdin=-1)
    try:
        child.wait_ready(_START_TIMEOUT)
    except BaseException as error:
        child.kill()
        clean_up()
        if isinstance(error, PliantError):
            raise PliantError(f"the controller did not start: {error}") from None
        raise
    return RemoteSession(name, history, child)
