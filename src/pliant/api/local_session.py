"""An arm in this process, in simulated time."""

import atexit
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pliant.api.session import Recorder, Session
from pliant.api.watched_ring import WatchedRing
from pliant.commands import Command, GripperCommand, Push
from pliant.commands.line_protocol import write
from pliant.commands.reply import Reply
from pliant.config import Config
from pliant.errors import PliantError, RecordingError
from pliant.laws import Law
from pliant.loop.fan_out import FanOut
from pliant.loop.gripping import grip
from pliant.loop.metadata import law_files, metadata
from pliant.loop.publisher import Watcher
from pliant.loop.push import push
from pliant.loop.simulated_loop import SimulatedLoop
from pliant.recording.flight import save_flight
from pliant.recording.flight_folder import flight_folder
from pliant.recording.guarded import Guarded
from pliant.recording.new_file import new_recording
from pliant.robots.base import Robot
from pliant.stages.supervisor import read_text
from pliant.tick import Rows


class LocalSession(Session):
    """Advances the simulation only when asked to, as fast as the machine allows."""

    def __init__(self, spec: str, config: Config, laws: Sequence[Law], history: float) -> None:
        """Build the robot; it holds.

        Args:
            spec: Which robot.
            config: The configuration, settled for it.
            laws: Laws beside Pliant's own.
            history: How many seconds to remember.
        """
        simulated = SimulatedLoop(spec, config, laws, history)
        self._robot, self._loop = simulated.robot, simulated.loop
        self.arm = self._robot.description
        self.dt = self._robot.dt
        self.history = simulated.history
        self.scene = self._robot.scene_nominal
        self.laws = self._loop.supervisor.law_names
        self._spec = spec
        self._law_files = law_files(laws)
        self._watchers: list[Watcher] = []
        self._ring: WatchedRing | None = None

    @property
    def row(self) -> Rows:
        """The last tick."""
        return self._loop.row

    @property
    def law(self) -> int:
        """Index of the law that is active at the next tick; -1 for none."""
        return self._loop.supervisor.wishes.law(self.row)

    @property
    def config(self) -> Config:
        """The parameters in force."""
        return self._loop.supervisor.config

    @property
    def robot(self) -> Robot:
        """The robot."""
        return self._robot

    @property
    def metadata(self) -> dict[str, Any]:
        """What a recording says of the arm."""
        return metadata(self._spec, self._loop, "fast", self._law_files)

    @property
    def config_then(self) -> Config:
        """The parameters with which the last tick was computed."""
        return self._loop.config_then

    def watch(self, watcher: Watcher) -> None:
        """Publish to one more watcher, beginning with what the next tick builds on."""
        self._loop.introduce(watcher)
        self._watchers.append(watcher)
        self._loop.publisher = FanOut(self.history, *self._watchers)

    def unwatch(self, watcher: Watcher) -> None:
        """Publish to one watcher less."""
        self._watchers = [other for other in self._watchers if other is not watcher]
        self._loop.publisher = FanOut(self.history, *self._watchers)

    def published(self) -> str:
        """The name under which others find the arm; from now on it runs in real time."""
        if self._ring is None:
            self._ring = WatchedRing(self._spec, self._loop, self.metadata)
            self.watch(self._ring)
        return self._ring.name

    def record(self, file: Path) -> "LocalRecorder":
        """Record the arm from now on, in this process."""
        return LocalRecorder(self, file)

    def save_flight(self) -> str:
        """Save the seconds before a fault; where they are, in words."""
        folder = flight_folder()
        if folder is None:
            return ""
        k, reason = self.row["k"].item(), read_text(self.row)
        try:
            path = save_flight(self.history, self.metadata, k, reason, folder)
        except RecordingError as error:
            return f"no flight recording: {error}"
        return f"what led to the fault: {path}"

    def take(self, command: Command) -> Reply:
        """Decide on a command at once; it acts at the next tick."""
        line, k, publisher = write(command), self.row["k"].item() + 1, self._loop.publisher
        publisher.write_line("command", k, line)
        try:
            if isinstance(command, Push):
                reply = push(self._robot, command)
            elif isinstance(command, GripperCommand):
                reply = grip(self._robot, command)
            else:
                reply = self._loop.read_and_take(command, line)
        except PliantError as error:
            publisher.write_line("reply", k, f"ERR {error}")
            raise
        publisher.write_line("reply", k, f"OK {reply.text}")
        return reply

    def advance(self) -> Rows:
        """Run one tick."""
        return self._loop.step()

    def close(self, *, failed: bool = False) -> None:
        """End the simulation, however its program ended."""
        self._robot.stop()
        self._robot.close()
        for watcher in self._watchers:
            watcher.close()


class LocalRecorder(Guarded, Recorder):
    """Records an arm in this process, tick by tick as it computes them."""

    def __init__(self, session: LocalSession, path: Path) -> None:
        header = session.metadata | {"start": time.time() - session.row["time"].item()}
        super().__init__(new_recording(path, header, session.config_then.to_yaml()), _say)
        self._session = session
        session.watch(self)
        # a program may end without closing its arm
        atexit.register(super().close)

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


def _say(text: str) -> None:
    print(f"pliant: {text}", file=sys.stderr, flush=True)
