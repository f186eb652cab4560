"""The tool of a virtual UR above its table, as ur_rtde sees it."""

import numpy as np

from .arm_time import pass_time

DOWN_B = [0.0, 0.0, -1.0, 0.0, 0.0, 0.0]
TABLE = 0.1
"""Height of the table's top, m; the tool starts 50 mm above it."""

TCP = [0.0, 0.0, 0.16, 0.0, 0.0, 0.0]


def tool(receive):
    """Pose of the TCP."""
    return np.array(receive.getActualTCPPose())


def moved(pose, *change):
    """A pose elsewhere, m in axes of the base."""
    return [*(pose[:3] + np.array(change)), *pose[3:]]


def zeroed(control, receive) -> None:
    """Zero the sensor when the tool no longer swings: its inertia would be zeroed away too."""
    pass_time(receive, 0.1)
    assert control.zeroFtSensor()
