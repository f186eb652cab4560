"""The model stage: kinematics of the tool and, on torque arms, dynamics.

The stage computes the tool's pose twice: at the measured joints, and at the set points last sent.
Pose laws use the second, because the first is late by the lag of the servos.
"""

import numpy as np
import pinocchio as pin

from pliant.arms.chain import Chain, chain_row, tool_kinematics
from pliant.arms.description import ArmDescription
from pliant.arms.pinocchio import TCP_FRAME, build_pinocchio
from pliant.arms.tool import Tool
from pliant.numerics.kernels import Direct, Row, kernel
from pliant.numerics.scratch import scratch_matrix
from pliant.numerics.spatial import Array, quat_align, quat_from_matrix
from pliant.params import Params, param
from pliant.tick import Rows, Tick

_AXES = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


class ModelConfig(Params):
    """Accuracy of the dynamic model; fixed while the arm runs."""

    mass_scale: float = param(
        1.0,
        "1",
        "Factor on the link masses in the model of the torque laws, not in the simulated arm.",
        ge=0.5,
        le=2.0,
    )


class ModelStage:
    """Forward kinematics and Jacobians of the TCP, at the measured and at the sent joints.

    On a torque arm also the dynamics at the measured joints; a position arm does not need them.

    Attributes:
        rows: Parameter rows of the kernel.
    """

    def __init__(self, arm: ArmDescription, tool: Tool, config: ModelConfig | None = None) -> None:
        scale = (config or ModelConfig()).mass_scale
        model = build_pinocchio(arm, tool, scale if arm.takes_torque else 1.0)
        self.rows = (chain_row(model),)
        self._dynamics = _Dynamics(model) if arm.takes_torque else None
        self._kernel = Direct(model_kernel)

    def update(self, prev: Rows, tick: Rows) -> None:
        """Write the model columns of this tick."""
        self._kernel.call(prev, tick, *self.rows)
        if self._dynamics is not None:
            self._dynamics.update(tick)


class _Dynamics:
    """Mass matrix, Coriolis and gravity torques, and J̇·q̇ of the tool."""

    def __init__(self, model: pin.Model) -> None:
        self._model = model
        self._weightless = model.copy()
        self._weightless.gravity.setZero()
        self._data = model.createData()
        self._frame = model.getFrameId(TCP_FRAME)
        self._still = np.zeros(model.nv)
        self._store = Direct(store_dynamics)

    def update(self, tick: Rows) -> None:
        """Write the dynamics columns of this tick."""
        model, data, q, qd = self._model, self._data, tick["q"][0], tick["qd"][0]
        pin.forwardKinematics(model, data, q, qd, self._still)
        a_bias_W = pin.getFrameClassicalAcceleration(model, data, self._frame, _AXES).vector
        M = pin.crba(model, data, q)
        g = pin.computeGeneralizedGravity(model, data, q)
        self._store.call(tick, M, g, a_bias_W)
        tick["c"][0] = pin.nonLinearEffects(self._weightless, data, q, qd)


@kernel
def model_kernel(prev: Row[Tick], tick: Row[Tick], chain: Row[Chain]) -> None:
    """Write poses, Jacobians and velocities of the tool, and zero dynamics."""
    a, t = prev[0], tick[0]
    _place(chain, t.q, t.qd, a.X_WT, t.X_WT, t.J_W, t.v_WT_W)
    _place(chain, a.q_sent, a.qd_limited, a.X_WT_sent, t.X_WT_sent, t.J_sent_W, t.v_WT_sent_W)
    t.M[:] = 0.0
    t.c[:] = 0.0
    t.g[:] = 0.0
    t.a_bias_W[:] = 0.0


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


@kernel
def store_dynamics(tick: Row[Tick], M: Array, g: Array, a_bias_W: Array) -> None:
    """Copy Pinocchio's results into the tick; only the upper triangle of M is valid."""
    t = tick[0]
    for i in range(g.shape[0]):
        t.g[i] = g[i]
        for j in range(i, g.shape[0]):
            t.M[i, j] = M[i, j]
            t.M[j, i] = M[i, j]
    t.a_bias_W[:] = a_bias_W
