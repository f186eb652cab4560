"""The model stage: where the tool is and, for torque laws, how the arm moves, by Pinocchio.

Two places are computed every tick: at the measured joints, and at the set points last sent. The
second is what pose laws build on, because through a servo's lag the first is always a little late.
"""

import numpy as np
import pinocchio as pin

from pliant.arms.description import ArmDescription
from pliant.arms.pinocchio import TCP_FRAME, build_pinocchio
from pliant.arms.tool import Tool
from pliant.kernels import Direct, Row, kernel
from pliant.params import Params, param
from pliant.spatial import Array, quat_align, quat_from_matrix
from pliant.tick import Rows, Tick

_AXES = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


class ModelConfig(Params):
    """How well the laws know the arm; fixed while it runs."""

    mass_scale: float = param(
        1.0,
        "1",
        "Factor on the link masses that torque laws believe in; the arm has its own.",
        ge=0.5,
        le=2.0,
    )


class ModelStage:
    """Forward kinematics and Jacobians of the TCP, at the measured and at the sent joints.

    For a torque arm the dynamics at the measured joints as well; on a position arm nobody needs
    them.
    """

    def __init__(self, arm: ArmDescription, tool: Tool, config: ModelConfig | None = None) -> None:
        scale = (config or ModelConfig()).mass_scale
        self._model = build_pinocchio(arm, tool, scale if arm.takes_torque else 1.0)
        self._dynamics = _Dynamics(self._model) if arm.takes_torque else None
        self._frame = self._model.getFrameId(TCP_FRAME)
        self._data = self._model.createData()
        self._sent_data = self._model.createData()
        self._placement = self._data.oMf[self._frame]
        self._sent_placement = self._sent_data.oMf[self._frame]
        self._store, self._no_dynamics = Direct(store_kernel), Direct(no_dynamics)
        self._views: dict[int, tuple[Rows, Rows, Array, Array]] = {}

    def update(self, prev: Rows, tick: Rows) -> None:
        """Write the model columns of this tick."""
        _, _, q, q_sent = self._joints(prev, tick)
        jacobian = pin.computeFrameJacobian
        J_W = jacobian(self._model, self._data, q, self._frame, _AXES)
        J_sent_W = jacobian(self._model, self._sent_data, q_sent, self._frame, _AXES)
        here, sent = self._placement, self._sent_placement
        self._store.call(prev, tick, here.homogeneous, J_W, sent.homogeneous, J_sent_W)
        if self._dynamics is None:
            self._no_dynamics.call(tick)
        else:
            self._dynamics.update(q, tick)

    def _joints(self, prev: Rows, tick: Rows) -> tuple[Rows, Rows, Array, Array]:
        """The rows with views of their joints, kept because taking two costs a third of R."""
        known = self._views.get(id(tick))
        if known is None or known[0] is not prev or known[1] is not tick:
            if len(self._views) > 8:
                self._views.clear()
            known = prev, tick, tick["q"][0], prev["q_sent"][0]
            self._views[id(tick)] = known
        return known


class _Dynamics:
    """Mass matrix, Coriolis and gravity torques, and the tool's acceleration at constant q̇."""

    def __init__(self, model: pin.Model) -> None:
        self._model = model
        self._weightless = model.copy()
        self._weightless.gravity.setZero()
        self._data = model.createData()
        self._frame = model.getFrameId(TCP_FRAME)
        self._still = np.zeros(model.nv)
        self._store = Direct(store_dynamics)

    def update(self, q: Array, tick: Rows) -> None:
        """Write them into the tick."""
        model, data, qd = self._model, self._data, tick["qd"][0]
        pin.forwardKinematics(model, data, q, qd, self._still)
        a_bias_W = pin.getFrameClassicalAcceleration(model, data, self._frame, _AXES).vector
        M = pin.crba(model, data, q)
        g = pin.computeGeneralizedGravity(model, data, q)
        self._store.call(tick, M, g, a_bias_W)
        tick["c"][0] = pin.nonLinearEffects(self._weightless, data, q, qd)


@kernel
def _store_pose(X: Array, like: Array, out: Array) -> None:
    """A homogeneous matrix as a pose whose quaternion does not flip its sign between ticks."""
    quat_from_matrix(X[:3, :3], out[3:])
    quat_align(out[3:], like[3:])
    for i in range(3):
        out[i] = X[i, 3]


@kernel
def store_kernel(
    prev: Row[Tick], tick: Row[Tick], X: Array, J_W: Array, X_sent: Array, J_sent_W: Array
) -> None:
    """Copy Pinocchio's results into the tick, and the velocities that follow from them."""
    a, t = prev[0], tick[0]
    _store_pose(X, a.X_WT, t.X_WT)
    _store_pose(X_sent, a.X_WT_sent, t.X_WT_sent)
    for i in range(6):
        v = 0.0
        v_sent = 0.0
        for j in range(J_W.shape[1]):
            t.J_W[i, j] = J_W[i, j]
            t.J_sent_W[i, j] = J_sent_W[i, j]
            v += J_W[i, j] * t.qd[j]
            v_sent += J_sent_W[i, j] * a.qd_limited[j]
        t.v_WT_W[i] = v
        t.v_WT_sent_W[i] = v_sent


@kernel
def store_dynamics(tick: Row[Tick], M: Array, g: Array, a_bias_W: Array) -> None:
    """Copy Pinocchio's results into the tick; of M only the upper triangle is looked at."""
    t = tick[0]
    for i in range(g.shape[0]):
        t.g[i] = g[i]
        for j in range(i, g.shape[0]):
            t.M[i, j] = M[i, j]
            t.M[j, i] = M[i, j]
    t.a_bias_W[:] = a_bias_W


@kernel
def no_dynamics(tick: Row[Tick]) -> None:
    """Zeros, on a position arm."""
    t = tick[0]
    t.M[:] = 0.0
    t.c[:] = 0.0
    t.g[:] = 0.0
    t.a_bias_W[:] = 0.0
