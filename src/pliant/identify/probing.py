"""Small motions shared by the identification routines, made through the public API."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import numpy as np

from pliant.api.arm import Arm
from pliant.errors import PliantError, Refused
from pliant.numerics.spatial import Array
from pliant.stages.wrench import AT_REST
from pliant.tick import Rows

_REST_TIMEOUT = 120.0
"""Longest time for the tool to come to rest, s."""

_STUCK_TIME = 1.0
"""A tool that has not moved for this long does not reach its target, s."""


def come_to_rest(arm: Arm, settle: float = 0.0) -> bool:
    """Wait until the tool is at rest, and then for a settling time.

    Returns:
        Whether it reached its target; a limit of the arm can stop it earlier.

    Raises:
        Refused: The tool does not come to rest.
    """
    arm.wait(2.0 * arm.dt)
    last_motion = arm.time
    for tick in arm.ticks(_REST_TIMEOUT):
        if float(np.abs(tick.v_WT_W).max()) >= AT_REST:
            last_motion = tick.time
        elif tick.ref_done or tick.time - last_motion > _STUCK_TIME:
            arrived = bool(tick.ref_done)
            arm.wait(settle)
            return arrived
    raise Refused(f"the tool did not come to rest within {_REST_TIMEOUT:g} s")


def go_back(arm: Arm, X_WT: Array) -> None:
    """Return to an earlier pose.

    Raises:
        Refused: The arm does not reach it.
    """
    arm.move_to(X_WT, wait=False)
    if not come_to_rest(arm):
        raise Refused(
            "the arm is at a limit and did not return to its start: start in the middle of its "
            "workspace, or rotate the tool less"
        )


@contextmanager
def position_control(arm: Arm) -> Iterator[None]:
    """Activate position control from the current pose, and deactivate it in any case.

    Raises:
        Refused: Another law is active.
    """
    if arm.law is not None:
        raise Refused(f"the law {arm.law} is active: deactivate it first")
    arm.activate("position")
    try:
        come_to_rest(arm)
        yield
    except BaseException:
        # an arm that has stopped refuses commands
        with suppress(PliantError):
            arm.deactivate()
        raise
    arm.deactivate()
    arm.wait_until(lambda tick: tick.law < 0)


def watch(arm: Arm, seconds: float) -> Rows:
    """Let the arm run for a time, and return its ticks."""
    since = arm.time + 0.5 * arm.dt
    arm.wait(seconds)
    return arm.history.since(since)
