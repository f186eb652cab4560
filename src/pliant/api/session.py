"""Sessions: what an `Arm` talks to, in this process or in another."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from pliant.arms.description import ArmDescription
from pliant.commands import Command
from pliant.commands.reply import Reply
from pliant.config import Config
from pliant.errors import RecordingError
from pliant.loop.history import History
from pliant.robots.base import Robot
from pliant.sim.scenes import SceneNominal
from pliant.tick import Rows


class Session(ABC):
    """A connection to a running arm.

    Attributes:
        arm: The arm's parameters.
        dt: The control period, s.
        laws: Names of the laws, in the order of their index in the tick.
        history: The past.
        scene: The nominal geometry of a simulated scene; None without one.
    """

    arm: ArmDescription
    dt: float
    laws: list[str]
    history: History
    scene: SceneNominal | None

    @property
    @abstractmethod
    def row(self) -> Rows:
        """The last tick."""

    @property
    def law(self) -> int:
        """Index of the law that is active at the next tick; -1 for none."""
        return int(self.row["law"][0])

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
    def close(self, *, failed: bool = False) -> None:
        """Disconnect; an arm that this session started is stopped."""

    @abstractmethod
    def published(self) -> str:
        """The name under which other programs find the arm's ring."""

    @abstractmethod
    def record(self, file: Path) -> "Recorder":
        """Record the arm from now on.

        Raises:
            RecordingError: The file exists already, or cannot be written.
        """

    @property
    @abstractmethod
    def metadata(self) -> dict[str, Any]:
        """What a recording says of the arm, as JSON can hold it."""

    @property
    def robot(self) -> Robot | None:
        """The robot itself, if it is in this process."""
        return None

    def save_flight(self) -> str:
        """Save what led to a fault; where it is, in words. Empty if another process does that."""
        return ""


class Recorder(ABC):
    """A recording in progress; leaving its context ends it."""

    @abstractmethod
    def close(self) -> None:
        """End the recording and finish the file. Safe to call twice.

        Raises:
            RecordingError: It ended before, because the disk was full, or ticks were lost.
        """

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self.close()
        except RecordingError:
            # an error in the context matters more than one in the recording
            if kind is None:
                raise
