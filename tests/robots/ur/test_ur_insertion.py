"""Insertion over the wire is what it is in simulation, through the same lag."""

import numpy as np
import pytest

from tests.robots.paired_insertions import UR, Pair, compare_peaks, insert_both

pytestmark = pytest.mark.alone

MOST_FORCE = 15.0
"""As in simulation: tests/tasks/test_insertion.py, N."""


def compare_times(pairs: list[Pair]) -> None:
    """The medians of the times are near each other."""
    times = np.array([(pair.sim.time, pair.wire.time) for pair in pairs])
    sim, wire = np.median(times, axis=0)
    assert abs(wire - sim) < 0.1 * sim, pairs


def test_two_insertions_over_the_wire() -> None:
    # times say nothing yet: noise alone changes that of one insertion by 0.6 s, its peak by 0.15 N
    compare_peaks([insert_both(seed, UR) for seed in range(2)], MOST_FORCE)


@pytest.mark.long
def test_twenty_insertions_over_the_wire() -> None:
    pairs = [insert_both(seed, UR) for seed in range(20)]
    compare_peaks(pairs, MOST_FORCE)
    compare_times(pairs)
