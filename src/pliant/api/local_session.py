"""An arm in this process, in simulated time."""

from collections.abc import Sequence
from typing import Any

from pliant.api.session import Session
from pliant.api.watched_ring import ShownRing
from pliant.commands import Command
from pliant.commands.line_protocol import write
from pliant.commands.reply import Reply
from pliant.config import Config
from pliant.errors import PliantError
from pliant.laws import Law
from pliant.loop.clock import FastClock
from pliant.loop.fan_out import Tee
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.loop.metadata import about, law_files, spec_of
from pliant.loop.publisher import Watcher
from pliant.robots.sim import SimRobot
from pliant.tick import Rows


class FastSession(Session):
    """Advances the simulation only when asked to, as fast as the machine allows."""

    def __init__(self, arm: str, config: Config, laws: Sequence[Law], history: float) -> None:
        """Build the simulated arm; it holds where it is.

        Args:
            arm: Name of the arm.
            config: The configuration, scene and tool settled.
            laws: Laws beside Pliant's own.
            history: How many seconds to remember.
        """
        self._robot = SimRobot(arm, config.sim)
        self.arm = self._robot.description
        self.dt = self._robot.dt
        self.history = History(self._robot.n, max(2, round(history / self.dt)))
        self.scene = self._robot.scene_nominal
        # what led to a fault can only be told with the configuration that it began with
        self.history.write_line("config", 0, config.model_dump_json(round_trip=True))
        self._loop = Loop(
            self._robot,
            self._robot.description,
            FastClock(self.dt),
            config,
            laws=laws,
            publisher=self.history,
        )
        self.laws = self._loop.supervisor.law_names
        self._spec = spec_of(arm, config.sim)
        self._law_files = law_files(laws)
        self._watchers: list[Watcher] = []
        self._shown: ShownRing | None = None

    @property
    def row(self) -> Rows:
        """The last tick."""
        return self._loop.row

    @property
    def config(self) -> Config:
        """The parameters in force."""
        return self._loop.supervisor.config

    @property
    def simulation(self) -> SimRobot:
        """The simulated robot."""
        return self._robot

    @property
    def about(self) -> dict[str, Any]:
        """What a recording says of the arm."""
        return about(self._spec, self._robot.description.name, self._loop, "fast", self._law_files)

    @property
    def config_then(self) -> Config:
        """The parameters with which the last tick was computed."""
        return self._loop.config_then

    def watch(self, watcher: Watcher) -> None:
        """Publish to one more, which is told first what the next tick builds on."""
        self._loop.introduce(watcher)
        self._watchers.append(watcher)
        self._loop.publisher = Tee(self.history, *self._watchers)

    def unwatch(self, watcher: Watcher) -> None:
        """Publish to one less."""
        self._watchers = [other for other in self._watchers if other is not watcher]
        self._loop.publisher = Tee(self.history, *self._watchers)

    def published(self) -> str:
        """The name under which others find the arm, from now on; then it runs in real time."""
        if self._shown is None:
            self._shown = ShownRing(self._spec, self._robot, self._loop, self.about)
            self.watch(self._shown)
        return self._shown.name

    def take(self, command: Command) -> Reply:
        """Decide on a command at once; it acts at the next tick."""
        line, k, publisher = write(command), self.row["k"].item() + 1, self._loop.publisher
        publisher.write_line("command", k, line)
        try:
            reply = self._loop.take(command, line)
        except PliantError as error:
            publisher.write_line("reply", k, f"ERR {error}")
            raise
        publisher.write_line("reply", k, f"OK {reply.text}")
        return reply

    def advance(self) -> Rows:
        """Run one tick."""
        return self._loop.step()

    def close(self) -> None:
        """Let the simulation go."""
        self._robot.stop()
        self._robot.close()
        for watcher in self._watchers:
            watcher.close()
