"""How close an arm can bring its tool to a pose, by a straight motion from where it is.

The inverse kinematics follow the straight line in a few steps, as the arm will, within the limits
of the joints. Each step is Levenberg–Marquardt with a damping that grows with the remaining error
(Sugihara 2011), which also converges beyond the reach of the arm and at singularities.
"""

from math import ceil

import numpy as np

from pliant.arms.chain import Chain, tool_kinematics
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.linalg import cholesky, cholesky_solve
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import (
    Array,
    norm3,
    pose_error,
    pose_step,
    quat_from_matrix,
    rotate_pair,
)

# Length, m, and angle, rad, of a step along the line.
_STEP, _TURN = 0.04, 0.15
_MOST_STEPS = 24
# Iterations at each step, and at the end.
_FEW, _MANY = 2, 40
_DAMPING = 1e-6
# Error, m and rad, at which the end is reached.
_REACHED = 1e-5


@kernel
def closest_pose(
    chain: Row[Chain], q: Array, q_min: Array, q_max: Array, X_from: Array, X_to: Array, out: Array
) -> None:
    """Write the pose nearest to a target that the arm gets to; q is where it gets there.

    Args:
        chain: The arm.
        q: Joint positions at the start; out: at the end.
        q_min: Lowest joint positions.
        q_max: Highest joint positions.
        X_from: Pose of the tool at the start.
        X_to: The target.
        out: Out: the pose.
    """
    way, part, goal = scratch(6), scratch(6), scratch(7)
    pose_error(X_from, X_to, way)
    longest = max(norm3(way[:3]) / _STEP, norm3(way[3:]) / _TURN)
    steps = max(1, min(_MOST_STEPS, int(ceil(longest))))
    for step in range(1, steps + 1):
        for i in range(6):
            part[i] = way[i] * step / steps
        pose_step(X_from, part, goal)
        _approach(chain, q, q_min, q_max, goal, _FEW if step < steps else _MANY, out)


@kernel
def _approach(
    chain: Row[Chain], q: Array, q_min: Array, q_max: Array, goal: Array, most: int, out: Array
) -> None:
    n = q.shape[0]
    R, J, JJ, e = scratch_matrix(3, 3), np.empty((6, n)), scratch_matrix(6, 6), scratch(6)
    for i in range(most + 1):
        tool_kinematics(chain, q, R, out[:3], J)
        quat_from_matrix(R, out[3:])
        pose_error(out, goal, e)
        if i == most or (norm3(e[:3]) < _REACHED and norm3(e[3:]) < _REACHED):
            return
        rotate_pair(out[3:], e, e)
        squares = 0.0
        for row in range(6):
            squares += e[row] * e[row]
        for row in range(6):
            for other in range(row + 1):
                JJ[row, other] = 0.5 * squares + _DAMPING if row == other else 0.0
                for j in range(n):
                    JJ[row, other] += J[row, j] * J[other, j]
        cholesky(JJ)
        cholesky_solve(JJ, e)
        for j in range(n):
            change = 0.0
            for row in range(6):
                change += J[row, j] * e[row]
            q[j] = max(q_min[j], min(q_max[j], q[j] + change))
