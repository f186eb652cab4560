"""What a controller does by itself at its start and after a fault."""

from collections.abc import Callable
from dataclasses import dataclass

from pliant import commands as c
from pliant.controller.motion_loader import MotionLoader


@dataclass(frozen=True, kw_only=True)
class Start:
    """What a controller does by itself.

    Attributes:
        law: The law to activate after zeroing the sensor; None to stay inactive.
        commands: Commands to obey after that.
        duration: When to exit, s; 0 is never.
        stay: Whether to hold the arm after a fault and wait for a reset, instead of exiting.
        loader: Reads the motions that clients name; without one they are refused.
        on_ready: Called when all of that is done and clients are obeyed.
        on_early_end: Called with the reason if the controller ends before that.
    """

    law: str | None = "hybrid_admittance"
    commands: tuple[c.Command, ...] = ()
    duration: float = 0.0
    stay: bool = False
    loader: MotionLoader | None = None
    on_ready: Callable[[], None] = lambda: None
    on_early_end: Callable[[str], None] = lambda why: None
