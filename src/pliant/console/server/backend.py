"""The interface between the console and the program that moves the arm."""

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
        ok: Whether the line was accepted.
        text: What was applied, or the reason of the refusal.
        value: What was applied or asked for, as a value; None if there is none.
    """

    ok: bool
    text: str
    value: Any = None


@dataclass(frozen=True, kw_only=True)
class End:
    """The end of a backend.

    Attributes:
        lost: Whether it died instead of ending normally.
        why: The reason, in words.
    """

    lost: bool
    why: str


class ClientConnection(ABC):
    """A viewer's connection for commands."""

    @abstractmethod
    def send(self, line: str) -> Awaitable[Answer]:
        """Send a line at once; returns an awaitable of the reply."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection; the arm comes to rest if this client was in control."""


class Backend(ABC):
    """A running arm.

    Attributes:
        kind: Pliant's controller, or another program.
        name: Its name.
        spec: The arm, as `sim:ur5e/peg`.
        n: Number of joints.
        dt: The control period, s.
        laws: Its laws, by their index in the tick.
        scene: The nominal scene.
        words: The commands that it knows.
        columns: The columns that it fills.
        watch_only: It cannot be commanded from here.
        missed: Number of ticks lost before the console read them.
        holder: Name of the client in control; empty if there is none.
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
        """Prepare for the first tick: find out who is in control."""
        return

    @abstractmethod
    def ticks(self) -> Rows:
        """The ticks since the last call."""

    @abstractmethod
    def lines(self) -> list[Line]:
        """The lines since the last call: commands, replies, events."""

    @abstractmethod
    def end(self) -> End | None:
        """Why it has ended; None while it runs."""

    @abstractmethod
    async def config(self, sections: Iterable[str] = Config.model_fields) -> dict[str, Any]:
        """The configuration in force, by section."""

    @abstractmethod
    async def open(self, name: str) -> ClientConnection:
        """Open a connection for a client of that name.

        Raises:
            PliantError: The arm cannot be commanded.
        """

    @abstractmethod
    async def stop(self) -> None:
        """Stop the arm; the console need not be in control."""

    @abstractmethod
    async def close(self) -> None:
        """Detach from it, and end it if this console started it."""
