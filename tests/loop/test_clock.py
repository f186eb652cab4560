"""Simulated time."""

from pliant.loop.clock import FastClock
from pliant.tick import new_rows


def test_fast_clock_counts_periods_and_is_never_late() -> None:
    clock = FastClock(0.002)
    prev, tick = new_rows(6), new_rows(6)
    prev["k"] = -1
    for k in range(1000):
        tick["lateness"] = tick["busy"] = 1.0
        clock.wait(prev, tick)
        assert tick["k"][0] == k
        # counted, not summed: no rounding piles up
        assert tick["time"][0] == k * 0.002
        assert tick["dt"][0] == 0.002
        assert tick["lateness"][0] == tick["busy"][0] == 0.0
        prev, tick = tick, prev
