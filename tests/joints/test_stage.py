"""The joint board: each joint by its own mode."""

import numpy as np

from pliant.arms import load_arm
from pliant.joints import JointMode, JointsStage
from pliant.tick import new_rows


def test_each_joint_does_what_its_mode_says() -> None:
    prev, tick = new_rows(6), new_rows(6)
    prev["q_sent"] = np.arange(6.0)
    tick["q_set"] = 10.0 + np.arange(6.0)
    modes = [JointMode.IDLE, JointMode.POSITION_DIRECT] * 3
    tick["mode_wanted"] = modes
    JointsStage(load_arm("ur5e")).update(prev, tick)
    np.testing.assert_array_equal(tick["mode"][0], modes)
    np.testing.assert_array_equal(tick["q_requested"][0], [0, 11, 2, 13, 4, 15])


def test_an_idle_joint_ignores_a_set_point_that_is_no_number() -> None:
    prev, tick = new_rows(6), new_rows(6)
    tick["q_set"] = np.nan
    tick["mode_wanted"] = JointMode.IDLE
    JointsStage(load_arm("ur5e")).update(prev, tick)
    assert np.isfinite(tick["q_requested"]).all()
