"""Motions that need a law to have ended first."""

from collections.abc import Callable, Iterator

from pliant.reasons import State
from pliant.tick import Tick

RIGID = "position"
"""The law of moves without another: it only holds the tool, so the joints may take over."""

_LONGEST = 5.0
"""How long the end of a law is waited for, s."""


def wait_for_ending(ticks: Callable[[float], Iterator[Tick]]) -> None:
    """Wait until a law that was deactivated has ended, so that what follows finds none.

    Args:
        ticks: Runs the arm tick by tick, for a time.
    """
    for tick in ticks(_LONGEST):
        if tick.state != State.STOPPING:
            return
