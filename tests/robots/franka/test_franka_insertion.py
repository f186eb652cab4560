"""Insertion by joint torques over the wire is what it is in simulation."""

import pytest

from tests.robots.paired_insertions import FRANKA, compare_medians, compare_peaks, insert_both

pytestmark = pytest.mark.alone

MOST_FORCE = 15.0
"""As in simulation: tests/tasks/test_insertion.py, N."""


def test_two_insertions_over_the_wire() -> None:
    compare_peaks([insert_both(seed, FRANKA) for seed in range(2)], MOST_FORCE)


@pytest.mark.long
def test_twenty_insertions_over_the_wire() -> None:
    pairs = [insert_both(seed, FRANKA) for seed in range(20)]
    compare_peaks(pairs, MOST_FORCE)
    compare_medians(pairs)
