"""The processes beside a controller, whose end it notices and says: recorder and guardian."""

from collections.abc import Callable
from dataclasses import dataclass

from pliant.processes import Child


def _nothing() -> None:
    pass


@dataclass(frozen=True, kw_only=True)
class Companion:
    """A process that should run as long as the controller.

    Attributes:
        child: The process.
        name: What it is.
        loss: What its end means.
        exits: Whether its end brings the arm to rest and ends the controller.
        recorder: Whether its end is told in the exit status.
    """

    child: Child
    name: str
    loss: str
    exits: bool = False
    recorder: bool = False

    def epitaph(self) -> str:
        """How it ended, and what that means."""
        return f"the {self.name} {self.child.how_it_ended()}: {self.loss}"


@dataclass(frozen=True, kw_only=True)
class Companions:
    """The processes beside a controller, and what the guardian is told through the ring.

    Attributes:
        processes: Those whose end is noticed.
        arm_stopping: Called when the backend begins to bring the arm to rest at the end.
        arm_released: Called when it has, and the arm is released.
        ring_closing: Called before the ring is closed.
    """

    processes: tuple[Companion, ...] = ()
    arm_stopping: Callable[[], None] = _nothing
    arm_released: Callable[[], None] = _nothing
    ring_closing: Callable[[], None] = _nothing
