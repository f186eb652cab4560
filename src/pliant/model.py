"""The model stage: where the tool is, by Pinocchio.

Two places are computed every tick: at the measured joints, and at the set points last sent. The
second is what pose laws build on, because through a servo's lag the first is always a little late.
"""

import pinocchio as pin

from pliant.arms.pinocchio import TCP_FRAME
from pliant.kernels import Row, kernel
from pliant.spatial import Array, quat_align, quat_from_matrix
from pliant.tick import Rows, Tick

_AXES = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


class ModelStage:
    """Forward kinematics and Jacobians of the TCP, at the measured and at the sent joints."""

    def __init__(self, model: pin.Model) -> None:
        self._model = model
        self._frame = model.getFrameId(TCP_FRAME)
        self._data = model.createData()
        self._sent_data = model.createData()
        self._placement = self._data.oMf[self._frame]
        self._sent_placement = self._sent_data.oMf[self._frame]
        self._views: dict[int, tuple[Rows, Rows, Array, Array]] = {}

    def update(self, prev: Rows, tick: Rows) -> None:
        """Write the model columns of this tick."""
        _, _, q, q_sent = self._joints(prev, tick)
        jacobian = pin.computeFrameJacobian
        J_W = jacobian(self._model, self._data, q, self._frame, _AXES)
        J_sent_W = jacobian(self._model, self._sent_data, q_sent, self._frame, _AXES)
        here, sent = self._placement, self._sent_placement
        store_kernel(prev, tick, here.homogeneous, J_W, sent.homogeneous, J_sent_W)

    def _joints(self, prev: Rows, tick: Rows) -> tuple[Rows, Rows, Array, Array]:
        """The rows with views of their joints, kept because taking two costs a third of R."""
        known = self._views.get(id(tick))
        if known is None or known[0] is not prev or known[1] is not tick:
            if len(self._views) > 8:
                self._views.clear()
            known = prev, tick, tick["q"][0], prev["q_sent"][0]
            self._views[id(tick)] = known
        return known


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
