"""The axes of force control: those of the tool, of the world, or of the task frame."""

from pliant.numerics.kernels import kernel
from pliant.numerics.spatial import Array, rotate_pair, unrotate_pair

TOOL, WORLD, TASK = 0, 1, 2
"""Values of `axes_frame` and `w_target_frame`; constants in `@kernel` functions."""


@kernel
def to_frame(frame: int, X_WF: Array, X_WT: Array, pair_T: Array, out: Array) -> None:
    """Express two vectors of the tool in the axes of a frame; out may be pair_T."""
    if frame == TOOL:
        out[:] = pair_T[:]
        return
    rotate_pair(X_WT[3:], pair_T, out)
    if frame == TASK:
        unrotate_pair(X_WF[3:], out, out)


@kernel
def from_frame(frame: int, X_WF: Array, X_WT: Array, pair_F: Array, out: Array) -> None:
    """The inverse of `to_frame`; out may be pair_F."""
    if frame == TOOL:
        out[:] = pair_F[:]
        return
    if frame == TASK:
        rotate_pair(X_WF[3:], pair_F, out)
        unrotate_pair(X_WT[3:], out, out)
    else:
        unrotate_pair(X_WT[3:], pair_F, out)
