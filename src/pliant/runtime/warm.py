"""Compile the kernels once, before anything is timed: `python -m pliant.runtime.warm`."""

import numpy as np

from pliant.kernels import cache_folder

_MARKER = "complete"


def warm() -> None:
    """Fill the kernel cache unless a complete one for these sources exists."""
    marker = cache_folder() / _MARKER
    if marker.exists():
        return
    print("compiling, once", flush=True)
    _exercise()
    marker.parent.mkdir(parents=True, exist_ok=True)
    marker.touch()


def _exercise() -> None:
    """Call every kernel that a tick calls, so that each is compiled and kept."""
    from pliant.spatial import IDENTITY_POSE, pose_step

    pose_step(IDENTITY_POSE.copy(), np.zeros(6), np.empty(7))


if __name__ == "__main__":
    warm()
