"""An arm in this process, in simulated time."""

from collections.abc import Sequence

from pliant.commands import Command
from pliant.config import Config
from pliant.laws import Law
from pliant.robots.sim import SimRobot
from pliant.runtime.clock import FastClock
from pliant.runtime.history import History
from pliant.runtime.loop import Loop
from pliant.runtime.session import Session
from pliant.supervisor import Reply
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
        self._loop = Loop(
            self._robot,
            self._robot.description,
            FastClock(self.dt),
            config,
            laws=laws,
            publisher=self.history,
        )
        self.laws = self._loop.supervisor.law_names

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

    def take(self, command: Command) -> Reply:
        """Decide on a command at once; it acts at the next tick."""
        return self._loop.supervisor.take(command, self._loop.row)

    def advance(self) -> Rows:
        """Run one tick."""
        return self._loop.step()

    def close(self) -> None:
        """Let the simulation go."""
        self._robot.stop()
        self._robot.close()
