"""The dynamics stage, of torque arms only: Pinocchio's dynamics at the measured joints."""

import numpy as np
import pinocchio as pin

from pliant.arms.pinocchio import TCP_FRAME
from pliant.numerics.kernels import Direct, Row, kernel
from pliant.numerics.spatial import Array
from pliant.params import Params, param
from pliant.tick import Rows, Tick, new_rows

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


class Dynamics:
    """Mass matrix, Coriolis and gravity torques, and J̇·q̇ of the tool."""

    def __init__(self, model: pin.Model) -> None:
        self._model = model
        self._weightless = model.copy()
        self._weightless.gravity.setZero()
        self._data = model.createData()
        self._frame = model.getFrameId(TCP_FRAME)
        self._q, self._qd, self._still = np.zeros((3, model.nv))
        # kernels copy the columns, because making NumPy views of a row takes longer
        self._load = Direct(load_joints)
        self._store = Direct(store_dynamics)
        # loads the kernel and Pinocchio's code, which the first tick would wait for
        self.update(new_rows(model.nv), new_rows(model.nv))

    def update(self, _prev: Rows, tick: Rows) -> None:
        """Write the dynamics columns of this tick."""
        model, data, q, qd = self._model, self._data, self._q, self._qd
        self._load.call(tick, q, qd)
        pin.forwardKinematics(model, data, q, qd, self._still)
        a_bias_W = pin.getFrameClassicalAcceleration(model, data, self._frame, _AXES).vector
        M = pin.crba(model, data, q)
        g = pin.computeGeneralizedGravity(model, data, q)
        c = pin.nonLinearEffects(self._weightless, data, q, qd)
        self._store.call(tick, M, c, g, a_bias_W)


@kernel
def load_joints(tick: Row[Tick], q: Array, qd: Array) -> None:
    """Copy the measured joints out of the tick."""
    q[:] = tick[0].q
    qd[:] = tick[0].qd


@kernel
def store_dynamics(tick: Row[Tick], M: Array, c: Array, g: Array, a_bias_W: Array) -> None:
    """Copy Pinocchio's results into the tick; only the upper triangle of M is valid."""
    t = tick[0]
    for i in range(g.shape[0]):
        t.c[i] = c[i]
        t.g[i] = g[i]
        for j in range(i, g.shape[0]):
            t.M[i, j] = M[i, j]
            t.M[j, i] = M[i, j]
    t.a_bias_W[:] = a_bias_W
