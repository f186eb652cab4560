"""Many usual ticks in one go: clock, arm, stages and ring in one kernel.

After a sleep Python takes as long to find back to what it was doing as all stages take to compute.
So where nothing is left for it to decide, and the arm is within a kernel's reach, it is not asked.
These are the same kernels in the same order as tick by tick, so every bit is the same.
"""

from enum import IntEnum

import numpy as np

from pliant.kernels import Row, kernel_that_waits
from pliant.robots.native import Native, read_native, write_native
from pliant.runtime.lanes import Counters, put_tick
from pliant.runtime.realtime import ClockOwn, wait_kernel
from pliant.runtime.sweep import Figures, sweep
from pliant.tick import Rows


class Begun(IntEnum):
    """How much of the next tick is done, when a run ends."""

    NOT = 0
    """Nothing: as many ticks were run as were asked for."""
    CALLED = 1
    """It was waited for, and the bell rang."""
    UNREAD = 2
    """It was waited for, and then the arm could not be read."""
    CHANGED = 3
    """It is computed, and there is a new reason to be put in words before it is sent."""


@kernel_that_waits
def run(
    clock: ClockOwn,
    arm: Native,
    stages: tuple[np.ndarray, Row[Figures]],
    lane: tuple[Row[Counters], Rows],
    most: int,
    prev: Rows,
    tick: Rows,
) -> tuple[int, int]:
    """Run ticks, the first into `tick`, the second into `prev`, and so on.

    Args:
        clock: What waiting takes beside the ticks.
        arm: The arm.
        stages: What the stages take beside the ticks.
        lane: Where to publish.
        most: How many ticks at most.
        prev: The last finished tick.
        tick: The one before it, to be overwritten.

    Returns:
        How many ticks are finished, and how much of the next one is done, a `Begun`.
    """
    for ran in range(most):
        if wait_kernel(*clock, prev, tick):
            return ran, Begun.CALLED.value
        if not read_native(arm, tick):
            return ran, Begun.UNREAD.value
        if sweep(*stages, prev, tick):
            return ran, Begun.CHANGED.value
        write_native(arm, tick)
        put_tick(*lane, tick)
        prev, tick = tick, prev
    return most, Begun.NOT.value
