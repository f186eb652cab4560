"""Fused ticks in a row: clock, arm, stages and ring in one kernel.

After a sleep, returning to Python takes as long as computing all stages. So where Python has
nothing to decide and the arm has kernels, it is left out. These are the same kernels in the same
order as tick by tick, so every bit is the same.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from pliant.loop.clock import Clock
from pliant.loop.fused_tick import Parameters, fused_tick
from pliant.loop.publisher import Publisher
from pliant.loop.real_time_clock import ClockOwn, RealTimeClock, wait_kernel
from pliant.numerics.kernels import Row, direct, kernel_that_waits
from pliant.ring.lanes import Counters, put_tick
from pliant.ring.ring import RingWriter
from pliant.robots.base import Robot
from pliant.robots.native import Native, read_native, write_native
from pliant.tick import Rows, new_rows

FusedRun = Callable[[int, Rows, Rows], tuple[int, int]]
"""Runs at most a number of ticks, from the last finished row into the other."""

NOT_BEGUN, INPUT, UNREAD, CHANGED = range(4)
"""How much of the next tick is done when a run ends: nothing, because all ticks were run; the wait,
after which there was input, or the arm could not be read; or all of its stages, with a new reason
that needs words before it is sent."""


def link(
    clock: Clock, robot: Robot, stages: tuple[np.ndarray, ...], publisher: Publisher
) -> FusedRun | None:
    """One kernel of clock, arm, stages and publisher; None if one of them has no kernel."""
    if not (
        isinstance(clock, RealTimeClock)
        and clock.sends_telemetry
        and isinstance(publisher, RingWriter)
    ):
        return None
    if robot.native is None or not stages:
        return None
    own = (clock.own, robot.native, stages, publisher.lane)
    return partial(direct(run, *own, 1, new_rows(robot.n), new_rows(robot.n)), *own)


@kernel_that_waits
def run(
    clock: ClockOwn,
    arm: Native,
    stages: tuple[np.ndarray, Row[Parameters]],
    lane: tuple[Row[Counters], Rows],
    most: int,
    prev: Rows,
    tick: Rows,
) -> tuple[int, int]:
    """Run ticks, the first into `tick`, the second into `prev`, and so on.

    Args:
        clock: Arguments of the wait.
        arm: The arm.
        stages: Parameters of the stages.
        lane: Where to publish.
        most: How many ticks at most.
        prev: The last finished tick.
        tick: The one before it, to be overwritten.

    Returns:
        How many ticks are finished, and how much of the next one is done, one of those above.
    """
    for ran in range(most):
        if wait_kernel(*clock, prev, tick):
            return ran, INPUT
        if not read_native(arm, tick):
            return ran, UNREAD
        if fused_tick(*stages, prev, tick):
            return ran, CHANGED
        write_native(arm, tick)
        put_tick(*lane, tick)
        prev, tick = tick, prev
    return most, NOT_BEGUN
