"""The small motions that the identifications share, on the public API."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import numpy as np

from pliant.errors import PliantError, Refused, WaitTimeout
from pliant.runtime.arm import Arm
from pliant.tick import Rows
from pliant.wrench import AT_REST

_PATIENCE = 120.0
"""How long the tool may take to come to rest, s."""


def come_to_rest(arm: Arm, settle: float = 0.0) -> None:
    """Wait until the reference has arrived and the tool with it, then a little longer.

    Raises:
        Refused: It does not, as where it was sent is out of reach.
    """
    arm.wait(2.0 * arm.dt)
    try:
        arm.wait_until(
            lambda tick: bool(tick.ref_done) and float(np.abs(tick.v_WT_W).max()) < AT_REST,
            _PATIENCE,
        )
    except WaitTimeout:
        raise Refused(
            f"the tool did not come to rest within {_PATIENCE:g} s: it cannot reach where it was "
            "sent; begin in the middle of the workspace, or turn it less"
        ) from None
    arm.wait(settle)


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
