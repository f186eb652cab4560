"""What the console needs of whatever moves the arm."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from pliant.config import Config
from pliant.ring.ring import Line
from pliant.sim.scenes import SceneNominal
from pliant.tick import Rows


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The reply to a line.

    Attributes:
        ok: Whether it was obeyed.
        text: What was applied, or why not.
    """

    ok: bool
    text: str


@dataclass(frozen=True, kw_only=True)
class End:
    """Why there is nothing any more.

    Attributes:
        lost: It died rather than ended.
        why: In words.
    """

    lost: bool
    why: str


class Door(ABC):
    """One viewer's own way to give commands. To shut it is to be gone."""

    @abstractmethod
    def send(self, line: str) -> Awaitable[Answer]:
        """Give a line at once; what comes back can be awaited for the reply."""

    @abstractmethod
    def shut(self) -> None:
        """Leave; if this door's owner was in control, the arm goes to its safe action."""


class Backend(ABC):
    """A running arm.

    Attributes:
        kind: A controller of Pliant's, or another program.
        name: Its name.
        spec: The arm, as `sim:ur5e/peg`.
        n: Number of joints.
        dt: The control period, s.
        laws: Its laws, by their index in the tick.
        scene: What may be known of the scene.
        words: The commands that it knows.
        columns: The columns that it fills.
        watch_only: It cannot be commanded from here.
        missed: Ticks that were lost on the way here.
        holder: Who is in control; empty if nobody is.
    """

    kind: Literal["pliant", "binary"]
    name: str
    spec: str
    n: int
    dt: float
    laws: list[str]
    scene: SceneNominal | None
    words: list[str]
    columns: list[str]
    watch_only: bool = False
    missed: int = 0
    holder: str = ""

    async def get_ready(self) -> None:
        """Find out what must be known before the first tick is looked at."""
        return

    @abstractmethod
    def ticks(self) -> Rows:
        """The ticks since the last call."""

    @abstractmethod
    def lines(self) -> list[Line]:
        """The lines since the last call: commands, replies, events."""

    @abstractmethod
    def end(self) -> End | None:
        """Why it is over; None while it runs."""

    @abstractmethod
    async def config(self, sections: Iterable[str] = Config.model_fields) -> dict[str, Any]:
        """The parameters in force, by section."""

    @abstractmethod
    async def open(self, name: str) -> Door:
        """A way to command for someone of that name.

        Raises:
            PliantError: There is none.
        """

    @abstractmethod
    async def stop(self) -> None:
        """Stop the arm, whoever is in control."""

    @abstractmethod
    async def close(self) -> None:
        """Let go; what was started for this console alone ends."""
