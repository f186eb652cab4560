"""Insertion over the wire is what it is in simulation, through the same lag."""

import numpy as np
import pytest

from tests.robots.paired_insertions import UR, Pair, compare_medians, compare_peaks, insert_both

pytestmark = pytest.mark.alone

MOST_FORCE = 15.0
"""As in simulation: tests/tasks/test_insertion.py, N."""


def compare_times(pairs: list[Pair]) -> None:
    """The medians of the times are near each other."""
    times = np.array([(pair.sim.time, pair.wire.time) for pair in pairs])
    sim, wire = np.median(times, axis=0)
    assert abs(wire - sim) < 0.1 * sim, pairs


def test_two_insertions_over_the_wire() -> None:
    # medians say nothing yet: the largest force of an insertion is that of its last push, 6 N, or
    # an earlier one of 8 to 9 N, as its noise has it, which also changes its time by 0.6 s
    compare_peaks([insert_both(seed, UR) for seed in range(2)], MOST_FORCE)


@pytest.mark.long
def test_twenty_insertions_over_the_wire() -> None:
    pairs = [insert_both(seed, UR) for seed in range(20)]
    compare_peaks(pairs, MOST_FORCE)
    compare_medians(pairs)
    compare_times(pairs)
