"""Clocks decide when the next tick begins."""

from pliant.numerics.kernels import Direct, Row, kernel
from pliant.tick import Rows, Tick


class FastClock:
    """Simulated time: every deadline is now, and no tick is late."""

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self._kernel = Direct(clock_kernel)

    def wait(self, prev: Rows, tick: Rows) -> None:
        """Count the tick."""
        self._kernel.call(prev, tick, self._dt, 0.0, 0.0)


@kernel
def clock_kernel(prev: Row[Tick], tick: Row[Tick], dt: float, lateness: float, busy: float) -> None:
    """All clock columns of one tick. Time is k·dt, not a running sum, so it does not drift."""
    t = tick[0]
    t.k = prev[0].k + 1
    t.time = t.k * dt
    t.dt = dt
    t.lateness = lateness
    t.busy = busy
