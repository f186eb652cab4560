"""The state that the arm sends: from its measurements into the packed floats of the wire."""

import numpy as np
from numpy.typing import NDArray

from pliant.arms.tool import Tool
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.spatial import Array
from pliant.tick import Tick
from pliant.virtual.franka.desired_motion import DesiredMotion
from pliant.virtual.franka.fci_protocol import FLOATS, STATE
from pliant.virtual.franka.fr3_limits import ELBOW_FLIP
from pliant.virtual.franka.fr3_measurement import GRAVITY, Fr3Measurement
from pliant.virtual.franka.fr3_settings import Fr3Settings

_STARTS = dict(zip(FLOATS, np.cumsum([0, *list(FLOATS.values())[:-1]]).tolist(), strict=True))
_O_T_EE, _O_T_EE_D, _O_T_EE_C = _STARTS["O_T_EE"], _STARTS["O_T_EE_d"], _STARTS["O_T_EE_c"]
_F_T_EE, _EE_T_K = _STARTS["F_T_EE"], _STARTS["EE_T_K"]
_F_T_NE, _NE_T_EE = _STARTS["F_T_NE"], _STARTS["NE_T_EE"]
_M_LOAD, _I_LOAD, _COM_LOAD = _STARTS["m_load"], _STARTS["I_load"], _STARTS["F_x_Cload"]
_ELBOW, _ELBOW_D, _ELBOW_C = _STARTS["elbow"], _STARTS["elbow_d"], _STARTS["elbow_c"]
_TAU_J, _TAU_J_D, _DTAU_J = _STARTS["tau_J"], _STARTS["tau_J_d"], _STARTS["dtau_J"]
_Q, _Q_D, _DQ = _STARTS["q"], _STARTS["q_d"], _STARTS["dq"]
_DQ_D, _DDQ_D = _STARTS["dq_d"], _STARTS["ddq_d"]
_JOINT_CONTACT, _JOINT_COLLISION = _STARTS["joint_contact"], _STARTS["joint_collision"]
_CONTACT, _COLLISION = _STARTS["cartesian_contact"], _STARTS["cartesian_collision"]
_TAU_EXT, _W_O, _W_K = (
    _STARTS[name] for name in ("tau_ext_hat_filtered", "O_F_ext_hat_K", "K_F_ext_hat_K")
)
_TWIST_D, _TWIST_C = _STARTS["O_dP_EE_d"], _STARTS["O_dP_EE_c"]
_ACCELERATION_C = _STARTS["O_ddP_EE_c"]
_THETA, _DTHETA = _STARTS["theta"], _STARTS["dtheta"]


class StateBuffer:
    """One state, kept up to date.

    Attributes:
        row: The state, by its names.
        floats: Its floats, one after the other.
        data: Its bytes.
    """

    def __init__(self, tool: Tool) -> None:
        self.row = np.zeros(1, STATE)
        self.data = self.row.view(np.uint8).data
        first = STATE.fields["q"][1] - 4 * _Q if STATE.fields else 0
        count = sum(FLOATS.values())
        self.floats = self.row.view(np.uint8)[first : first + 4 * count].view(np.float32)
        self.row["m_ee"] = tool.mass
        self.row["F_x_Cee"] = tool.com_F
        self.row["I_ee"] = np.diag(tool.inertia).ravel()
        self.row["O_ddP_O"] = (0.0, 0.0, -GRAVITY)


@kernel
def fill_state(
    tick: Row[Tick],
    settings: Row[Fr3Settings],
    motion: Row[DesiredMotion],
    measurement: Row[Fr3Measurement],
    tau_d: Array,
    cartesian: bool,
    out: NDArray[np.float32],
) -> None:
    """Write all floats of a state that change.

    Args:
        tick: What the simulation measured.
        settings: What the client has set.
        motion: The desired motion.
        measurement: What was measured.
        tau_d: Commanded torques, without gravity, N·m.
        cartesian: Whether poses or twists are commanded; else the desired ones stand for them.
        out: Out: the floats, of single precision.
    """
    t, d, m = tick[0], motion[0], measurement[0]
    _put_pose(m.R, m.p, out, _O_T_EE)
    _put_pose(d.R, d.p, out, _O_T_EE_D)
    if cartesian:
        _put_pose(d.R_c, d.p_c, out, _O_T_EE_C)
    else:
        _put_pose(d.R, d.p, out, _O_T_EE_C)
    _put_settings(settings, out)
    _put_elbow(t.q[2], t.q[3], out, _ELBOW)
    _put_elbow(d.q[2], d.q[3], out, _ELBOW_D)
    _put_elbow(d.elbow_c[0] if cartesian else d.q[2], d.q[3], out, _ELBOW_C)
    for j in range(7):
        out[_TAU_J + j] = m.tau[j]
        out[_TAU_J_D + j] = tau_d[j]
        out[_DTAU_J + j] = m.dtau[j]
        out[_Q + j] = out[_THETA + j] = t.q[j]
        out[_DQ + j] = out[_DTHETA + j] = t.qd[j]
        out[_Q_D + j] = d.q[j]
        out[_DQ_D + j] = d.dq[j]
        out[_DDQ_D + j] = d.ddq[j]
        out[_JOINT_CONTACT + j] = m.joint_contact[j]
        out[_JOINT_COLLISION + j] = m.joint_collision[j]
        out[_TAU_EXT + j] = m.tau_ext[j]
    for i in range(6):
        out[_CONTACT + i] = m.cartesian_contact[i]
        out[_COLLISION + i] = m.cartesian_collision[i]
        out[_W_O + i] = m.w_K[i]
        out[_W_K + i] = m.w_K_K[i]
        twist = 0.0
        for j in range(7):
            twist += d.J[i, j] * d.dq[j]
        out[_TWIST_D + i] = twist
        out[_TWIST_C + i] = d.v_c[i] if cartesian else twist
        out[_ACCELERATION_C + i] = d.a_c[i] if cartesian else 0.0


@kernel
def _put_settings(settings: Row[Fr3Settings], out: NDArray[np.float32]) -> None:
    s = settings[0]
    _put_matrix(s.F_T_EE, out, _F_T_EE)
    _put_matrix(s.EE_T_K, out, _EE_T_K)
    _put_matrix(s.F_T_NE, out, _F_T_NE)
    _put_matrix(s.NE_T_EE, out, _NE_T_EE)
    out[_M_LOAD] = s.m_load
    for i in range(9):
        out[_I_LOAD + i] = s.I_load[i]
    for i in range(3):
        out[_COM_LOAD + i] = s.F_x_Cload[i]


@kernel
def _put_pose(R: Array, p: Array, out: NDArray[np.float32], at: int) -> None:
    for k in range(3):
        for i in range(3):
            out[at + 4 * k + i] = R[i, k]
        out[at + 4 * k + 3] = 0.0
        out[at + 12 + k] = p[k]
    out[at + 15] = 1.0


@kernel
def _put_matrix(X: Array, out: NDArray[np.float32], at: int) -> None:
    for k in range(4):
        for i in range(4):
            out[at + 4 * k + i] = X[i, k]


@kernel
def _put_elbow(q3: float, q4: float, out: NDArray[np.float32], at: int) -> None:
    out[at] = q3
    out[at + 1] = 1.0 if q4 > ELBOW_FLIP else -1.0
