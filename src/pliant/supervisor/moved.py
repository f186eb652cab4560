"""A pose moved."""

import numpy as np

from pliant.spatial import Array, pose_step, quat_exp, quat_multiply, quat_normalize


def moved(pose: Array, delta: Array, frame: str) -> Array:
    """A pose moved by a translation and a rotation vector along tool or world axes."""
    out = np.array(pose)
    if frame == "tool":
        pose_step(pose, delta, out)
        return out
    turn = np.empty(4)
    quat_exp(delta[3:], turn)
    quat_multiply(turn, out[3:], out[3:])
    quat_normalize(out[3:], out[3:])
    out[:3] += delta[:3]
    return out
