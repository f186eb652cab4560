"""The joints stage: each joint according to its mode."""

import numpy as np

from pliant.arms import load_arm
from pliant.commands.handlers.joint_board import board_limits
from pliant.config import Config
from pliant.stages.joints import JointMode
from pliant.stages.joints.stage import joints_kernel, joints_params
from pliant.tick import Rows, new_rows

CONFIG = Config()
ARM = load_arm("ur5e")
PARAMS = joints_params(CONFIG.joints, board_limits(CONFIG, ARM))


def rows() -> tuple[Rows, Rows]:
    """Two ticks of an arm under a law, at rest."""
    prev, tick = new_rows(6), new_rows(6)
    for row in (prev, tick):
        row["dt"] = 0.002
        row["law"] = 0
        row["temperature"] = 25.0
    return prev, tick


def test_each_joint_follows_its_mode() -> None:
    prev, tick = rows()
    for row, name in ((prev, "q"), (tick, "q"), (prev, "q_sent")):
        row[name] = 0.1 * np.arange(6.0)
    tick["q_set"] = 10.0 + np.arange(6.0)
    modes = [JointMode.IDLE, JointMode.POSITION_DIRECT] * 3
    tick["mode_wanted"] = modes
    joints_kernel(prev, tick, PARAMS)
    np.testing.assert_array_equal(tick["mode"][0], modes)
    np.testing.assert_array_equal(tick["q_requested"][0], [0, 11, 0.2, 13, 0.4, 15])


def test_an_idle_joint_ignores_a_nan_set_point() -> None:
    prev, tick = rows()
    tick["q_set"] = np.nan
    tick["mode_wanted"] = JointMode.IDLE
    joints_kernel(prev, tick, PARAMS)
    assert np.isfinite(tick["q_requested"]).all()
