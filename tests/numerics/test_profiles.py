"""Fading torques within the torque rate."""

import numpy as np
import pytest

from pliant.numerics.profiles import fade, fade_beside

DT = 1e-3
RATE = 1000.0  # N·m/s
ROOM = RATE * DT


@pytest.mark.parametrize("tau", [-30.0, -1.5, -0.01, 0.0, 0.2, 1.5, 30.0])
def test_a_fading_torque_leaves_the_torque_rate_to_the_other(tau):
    for change in np.linspace(-ROOM, ROOM, 41):
        left = fade_beside(tau, change, RATE, DT)
        assert abs(change + left - tau) <= ROOM + 1e-12
        # the torque never grows, and never fades faster than alone
        assert abs(fade(tau, RATE, DT)) - 1e-12 <= abs(left) <= abs(tau)
    assert fade_beside(tau, 0.0, RATE, DT) == fade(tau, RATE, DT)


def test_fading_stops_while_the_other_torque_exceeds_the_rate():
    assert fade_beside(1.0, -1.5, RATE, DT) == 1.0
    assert fade_beside(-1.0, 1.5, RATE, DT) == -1.0
    # a change of opposite sign leaves room for fading
    assert fade_beside(1.0, 1.5, RATE, DT) == fade(1.0, RATE, DT)
