"""Poses after a change of the force-controlled axes."""

import numpy as np

from pliant.laws.hybrid_admittance.kernel import drop_yielded
from pliant.numerics.spatial import Array, pose_error, pose_step
from pliant.tick import Rows


def after_switch(row: Rows, Tr: Array, n_af: int) -> Array:
    """Where the reference will be after a change of axes that does not move the arm.

    Args:
        row: The tick before the switch.
        Tr: The axes after it.
        n_af: How many of them are force-controlled.
    """
    now = row[0]
    e_T, pose = np.empty(6), np.empty(7)
    pose_error(now["X_WT_cmd"], now["X_WR"], e_T)
    drop_yielded(now["Tr"], now["n_af"], Tr, n_af, e_T)
    pose_step(now["X_WT_cmd"], e_T, pose)
    return pose
