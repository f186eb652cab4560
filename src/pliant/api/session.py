"""Sessions: what an `Arm` talks to, in this process or in another."""

from abc import ABC, abstractmethod
from typing import Any

from pliant.arms.description import ArmDescription
from pliant.commands import Command
from pliant.commands.reply import Reply
from pliant.config import Config
from pliant.loop.history import History
from pliant.robots.sim import SimRobot
from pliant.sim.scenes import SceneNominal
from pliant.tick import Rows


class Session(ABC):
    """A connection to a running arm.

    Attributes:
        arm: The arm's figures.
        dt: The control period, s.
        laws: Names of the laws, in the order of their index in the tick.
        history: The past.
        scene: What may be known of a simulated scene.
    """

    arm: ArmDescription
    dt: float
    laws: list[str]
    history: History
    scene: SceneNominal

    @property
    @abstractmethod
    def row(self) -> Rows:
        """The last tick."""

    @property
    @abstractmethod
    def config(self) -> Config:
        """The parameters in force."""

    @abstractmethod
    def take(self, command: Command) -> Reply:
        """Give a command; it acts at the next tick that `advance` returns, or before.

        Raises:
            PliantError: It was refused, and nothing changed.
        """

    @abstractmethod
    def advance(self) -> Rows:
        """Wait for the next tick and return it."""

    @abstractmethod
    def close(self) -> None:
        """Stop the arm if it is this session's own, and let it go."""

    @abstractmethod
    def published(self) -> str:
        """The name under which others find the arm's ring."""

    @property
    @abstractmethod
    def about(self) -> dict[str, Any]:
        """What a recording says of the arm, as JSON can hold it."""

    @property
    def simulation(self) -> SimRobot | None:
        """The simulated robot, if it is in this process."""
        return None
