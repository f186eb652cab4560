"""Poses after a change of the force-controlled axes."""

import numpy as np

from pliant.laws.hybrid_admittance.subspace import drop_yielded, tool_rows
from pliant.numerics.spatial import Array, pose_error, pose_step
from pliant.tick import Rows


def after_switch(before: Rows, after: Rows) -> Array:
    """Where the reference will be after a change of axes that does not move the arm.

    Args:
        before: The tick before the switch.
        after: A tick with the axes after it, and their frame.
    """
    now, then = before[0], after[0]
    X_WC, e_T, pose = now["X_WT_cmd"], np.empty(6), np.empty(7)
    Tr_before, Tr_after = np.empty((6, 6)), np.empty((6, 6))
    tool_rows(now["axes_frame"], now["X_WF"], X_WC, now["Tr"], Tr_before)
    tool_rows(then["axes_frame"], then["X_WF"], X_WC, then["Tr"], Tr_after)
    pose_error(X_WC, now["X_WR"], e_T)
    drop_yielded(Tr_before, now["n_af"], Tr_after, then["n_af"], e_T)
    pose_step(now["X_WT_cmd"], e_T, pose)
    return pose
