"""Fixtures of the tests of safety."""

from collections.abc import Callable

import numpy as np
import pytest

from pliant import Arm
from pliant.tick import Rows

Check = Callable[[Arm, Rows], None]


@pytest.fixture
def within_limits() -> Check:
    """Check that the set points sent were within all joint limits at every tick."""

    def check(arm: Arm, rows: Rows) -> None:
        d, safety = arm.simulation.description, arm.config.safety
        q = rows["q_sent"]
        v = np.diff(q, axis=0) / arm.dt
        a = np.diff(v, axis=0) / arm.dt
        assert np.isfinite(q).all()
        assert (q <= d.q_max - safety.joint_margin + 1e-9).all()
        assert (q >= d.q_min + safety.joint_margin - 1e-9).all()
        assert (np.abs(v) <= d.qd_max * safety.joint_speed_share * (1 + 1e-6)).all()
        assert (np.abs(a) <= d.qdd_max * safety.joint_acceleration_share * (1 + 1e-6)).all()

    return check
