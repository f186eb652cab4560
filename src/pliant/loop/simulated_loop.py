"""A loop in simulated time, in the process of the caller."""

from collections.abc import Sequence

from pliant.commands import Command, Zero
from pliant.commands.reply import Reply
from pliant.config import Config
from pliant.errors import ArmStopped, ConfigError
from pliant.laws import Law
from pliant.loop.clock import FastClock
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.robots.base import Robot
from pliant.robots.registry import open_robot
from pliant.stages.supervisor import read_text
from pliant.stages.wrench.zeroing import Zeroing
from pliant.tick import Rows


def refuse_real(robot: Robot, spec: str) -> None:
    """Refuse simulated time for a robot that is not simulated: nothing would pace it.

    Raises:
        ConfigError: It is not simulated.
    """
    if not robot.simulated:
        raise ConfigError(
            f"{spec} is not simulated, so it runs in real time only: clock='real' in Python; on a "
            "command line without --fast"
        )


class SimulatedLoop:
    """Advances only when asked to.

    Attributes:
        robot: The robot.
        history: The last ticks.
        loop: The loop.
    """

    def __init__(
        self,
        spec: str,
        config: Config,
        laws: Sequence[Law] = (),
        history: float = 1.0,
        robot: Robot | None = None,
    ) -> None:
        """Build the robot and its loop; the arm holds.

        Args:
            spec: Which robot.
            config: The configuration, settled for it.
            laws: Laws beside Pliant's own.
            history: How many seconds to remember.
            robot: Another simulated robot to use instead of the one of the spec.

        Raises:
            ConfigError: The robot is not simulated.
        """
        self.robot = robot = robot or open_robot(spec, config)
        refuse_real(robot, spec)
        self.history = History(robot.n, max(2, round(history / robot.dt)))
        # a flight recording needs the configuration at its first tick
        self.history.write_line("config", 0, config.model_dump_json(round_trip=True))
        clock = FastClock(robot.dt)
        self.loop = Loop(robot, robot.description, clock, config, laws=laws, publisher=self.history)

    @property
    def row(self) -> Rows:
        """The last tick."""
        return self.loop.row

    def give(self, command: Command) -> Reply:
        """Give a command; it acts at the next tick.

        Raises:
            PliantError: It was refused.
        """
        return self.loop.read_and_take(command)

    def wait(self, seconds: float) -> None:
        """Run for a time.

        Raises:
            ArmStopped: The arm is in fault.
        """
        for _ in range(round(seconds / self.robot.dt)):
            self.loop.step()
            if self.loop.in_fault:
                raise ArmStopped(read_text(self.row))

    def zero(self) -> None:
        """Zero the force sensor and wait for its samples.

        Raises:
            Refused: It was interrupted.
        """
        zeroing = Zeroing.after(self.row, self.loop.supervisor.config.wrench)
        self.give(Zero())
        self.loop.step()
        while not zeroing.is_done(self.row):
            self.loop.step()
