"""Splits the torque of a recorded motion, so that it can be replayed at another speed."""

import numpy as np
import pinocchio as pin

from pliant.numerics.spatial import Array
from pliant.stages.reference.motion_files import Motion

# Interval for differentiating positions, s, and half-width of the moving average of torques. Faster
# changes are noise, or too fast for the arm when the motion is replayed at twice its speed.
_INTERVAL = 0.01


def inertial_and_rest(motion: Motion, model: pin.Model) -> tuple[Array, Array]:
    """The inertial torque of a motion by the model, and the remainder of the recorded torque.

    M·q̈ + C(q, q̇)·q̇ scales with the square of the speed. The remainder, friction and model errors,
    does not. Without recorded torques both are zero.
    """
    inertial, rest = np.zeros_like(motion.q), np.zeros_like(motion.q)
    if not motion.tau.any():
        return inertial, rest
    data = model.createData()
    every = max(1, round(_INTERVAL * (len(motion.time) - 1) / motion.time[-1]))
    qd, qdd = _derivatives(motion.time, motion.q, every)
    for k, q in enumerate(motion.q):
        g = pin.computeGeneralizedGravity(model, data, q).copy()
        inertial[k] = pin.rnea(model, data, q, qd[k], qdd[k]) - g
        rest[k] = motion.tau[k] - inertial[k] - (g if motion.has_gravity else 0.0)
    return inertial, _averaged(rest, every)


def _derivatives(time: Array, q: Array, every: int) -> tuple[Array, Array]:
    """Velocities and accelerations, from every n-th sample."""
    at = np.unique(np.append(np.arange(0, len(time), every), len(time) - 1))
    qd = np.gradient(q[at], time[at], axis=0)
    qdd = np.gradient(qd, time[at], axis=0)
    return _between(time, time[at], qd), _between(time, time[at], qdd)


def _between(time: Array, known: Array, values: Array) -> Array:
    return np.column_stack([np.interp(time, known, column) for column in values.T])


def _averaged(values: Array, reach: int) -> Array:
    """Moving average over `reach` rows to both sides."""
    total = np.vstack([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
    k = np.arange(len(values))
    low, high = np.maximum(0, k - reach), np.minimum(len(values), k + reach + 1)
    return (total[high] - total[low]) / (high - low)[:, None]
