"""The model stage: kinematics of the tool.

The stage computes the tool's pose twice: at the measured joints, and at the set points last sent.
Pose laws use the second, because the first is late by the lag of the servos.
"""

from pliant.arms.chain import Chain, tool_kinematics
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.scratch import scratch_matrix
from pliant.numerics.spatial import Array, quat_align, quat_from_matrix
from pliant.tick import Tick


@kernel
def model_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[Chain]) -> None:
    """Write poses, Jacobians and velocities of the tool, measured and sent."""
    a, t = prev[0], tick[0]
    _place(p, t.q, t.qd, a.X_WT, t.X_WT, t.J_W, t.v_WT_W)
    _place(p, a.q_sent, a.qd_limited, a.X_WT_sent, t.X_WT_sent, t.J_sent_W, t.v_WT_sent_W)


@kernel
def _place(
    chain: Row[Chain], q: Array, qd: Array, X_before: Array, X_WT: Array, J_W: Array, v_W: Array
) -> None:
    """Write pose, Jacobian and velocity of the tool; the quaternion keeps its sign."""
    R_WT = scratch_matrix(3, 3)
    tool_kinematics(chain, q, R_WT, X_WT[:3], J_W)
    quat_from_matrix(R_WT, X_WT[3:])
    quat_align(X_WT[3:], X_before[3:])
    for i in range(6):
        v_W[i] = 0.0
        for j in range(q.shape[0]):
            v_W[i] += J_W[i, j] * qd[j]
