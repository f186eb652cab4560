"""The small motions that the identifications share, on the public API."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import numpy as np

from pliant.api.arm import Arm
from pliant.errors import PliantError, Refused
from pliant.numerics.spatial import Array
from pliant.stages.wrench import AT_REST
from pliant.tick import Rows

_PATIENCE = 120.0
"""How long the tool may take to come to rest, s."""

_STANDS = 1.0
"""A tool that has not moved for so long will not arrive any more, s."""


def come_to_rest(arm: Arm, settle: float = 0.0) -> bool:
    """Wait until the tool rests, then a little longer.

    Returns:
        Whether it arrived where it was sent: at a limit of the arm it comes to rest before.

    Raises:
        Refused: It does not come to rest.
    """
    arm.wait(2.0 * arm.dt)
    moved = arm.time
    for tick in arm.ticks(_PATIENCE):
        if float(np.abs(tick.v_WT_W).max()) >= AT_REST:
            moved = tick.time
        elif tick.ref_done or tick.time - moved > _STANDS:
            arrived = bool(tick.ref_done)
            arm.wait(settle)
            return arrived
    raise Refused(f"the tool did not come to rest within {_PATIENCE:g} s")


def go_back(arm: Arm, X_WT: Array) -> None:
    """Return to where the arm was before.

    Raises:
        Refused: It does not get there.
    """
    arm.move_to(X_WT)
    if not come_to_rest(arm):
        raise Refused(
            "the arm stands at a limit and did not get back to where it began: begin in the middle "
            "of its workspace, or turn the tool less"
        )


@contextmanager
def position_control(arm: Arm) -> Iterator[None]:
    """Put position control in charge, from where the arm is; whatever happens, end it after.

    Raises:
        Refused: Another law is in charge.
    """
    if arm.law is not None:
        raise Refused(f"the law {arm.law} is active: end it first")
    arm.activate("position")
    try:
        come_to_rest(arm)
        yield
    except BaseException:
        # an arm that stopped by itself cannot be told anything more
        with suppress(PliantError):
            arm.deactivate()
        raise
    arm.deactivate()
    arm.wait_until(lambda tick: tick.law < 0)


def watch(arm: Arm, seconds: float) -> Rows:
    """Let the arm run and return the ticks of that time."""
    since = arm.time + 0.5 * arm.dt
    arm.wait(seconds)
    return arm.history.since(since)
