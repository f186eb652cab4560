"""The small motions that the identifications share, on the public API."""

import numpy as np

from pliant.errors import Refused
from pliant.runtime.arm import Arm
from pliant.tick import Rows
from pliant.wrench import AT_REST


def come_to_rest(arm: Arm, settle: float = 0.0) -> None:
    """Wait until the reference has arrived and the tool with it, then a little longer."""
    arm.wait(2.0 * arm.dt)
    arm.wait_until(
        lambda tick: bool(tick.ref_done) and float(np.abs(tick.v_WT_W).max()) < AT_REST, 120.0
    )
    arm.wait(settle)


def take_over(arm: Arm) -> None:
    """Put position control in charge, from where the arm is.

    Raises:
        Refused: Another law is in charge.
    """
    if arm.law is not None:
        raise Refused(f"the law {arm.law} is active: end it first")
    arm.activate("position")
    come_to_rest(arm)


def let_go(arm: Arm) -> None:
    """End the law and wait until the arm holds."""
    arm.deactivate()
    arm.wait_until(lambda tick: tick.law < 0)


def watch(arm: Arm, seconds: float) -> Rows:
    """Let the arm run and return the ticks of that time."""
    since = arm.time + 0.5 * arm.dt
    arm.wait(seconds)
    return arm.history.since(since)
