"""Many usual ticks in one go: clock, arm, stages and ring in one kernel.

After a sleep Python takes as long to find back to what it was doing as all stages take to compute.
So where nothing is left for it to decide, and the arm is within a kernel's reach, it is not asked.
These are the same kernels in the same order as tick by tick, so every bit is the same.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from pliant.loop.clock import Clock
from pliant.loop.fused_tick import Figures, sweep
from pliant.loop.publisher import Publisher
from pliant.loop.real_time_clock import ClockOwn, RealTimeClock, wait_kernel
from pliant.numerics.kernels import Row, direct, kernel_that_waits
from pliant.ring.lanes import Counters, put_tick
from pliant.ring.ring import RingWriter
from pliant.robots.base import Robot
from pliant.robots.native import Native, read_native, write_native
from pliant.tick import Rows, new_rows

Run = Callable[[int, Rows, Rows], tuple[int, int]]
"""Runs ticks, at most so many, from the last finished row into another."""

NOT_BEGUN, CALLED, UNREAD, CHANGED = range(4)
"""How much of the next tick is done when a run ends: nothing, as all ticks asked for were run; it
was waited for, and the bell rang, or the arm could not be read; or it is computed, and there is a
new reason to be put in words before it is sent."""


def link(
    clock: Clock, robot: Robot, stages: tuple[np.ndarray, ...], publisher: Publisher
) -> Run | None:
    """A kernel of a clock, an arm, its stages and a publisher; None if one is out of reach."""
    if not (isinstance(clock, RealTimeClock) and clock.tells and isinstance(publisher, RingWriter)):
        return None
    if robot.native is None or not stages:
        return None
    own = (clock.own, robot.native, stages, publisher.lane)
    return partial(direct(run, *own, 1, new_rows(robot.n), new_rows(robot.n)), *own)


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
        How many ticks are finished, and how much of the next one is done, one of those above.
    """
    for ran in range(most):
        if wait_kernel(*clock, prev, tick):
            return ran, CALLED
        if not read_native(arm, tick):
            return ran, UNREAD
        if sweep(*stages, prev, tick):
            return ran, CHANGED
        write_native(arm, tick)
        put_tick(*lane, tick)
        prev, tick = tick, prev
    return most, NOT_BEGUN
