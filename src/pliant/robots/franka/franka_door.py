"""The door of a Franka arm: from what libfranka reports to the columns of stage `robot`.

libfranka counts wrenches and external torques that the arm exerts on its environment as positive,
Pliant those of the environment on the arm. They are negated here, and nowhere else. Its base O is
Pliant's world W, its flange Pliant's F. Its matrices are stored by columns.

The arm subtracts the weight of end effector and load as it was told of them. It is added back,
because Pliant compensates the tool itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from pliant.arms.pinocchio import pose_to_se3
from pliant.arms.tool import Tool
from pliant.numerics.kernels import Direct, Row, kernel
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import Array, cross, quat_rotate, wrench_move
from pliant.params import KernelParams
from pliant.pose import PoseNumbers
from pliant.tick import Rows, Tick

GRAVITY = 9.81
"""Magnitude of gravity along −z of the base, m/s²; the arm must stand upright."""

TEMPERATURE = 25.0
"""What is reported as joint temperature, °C: FCI has none, and the arm protects itself."""

_N = 7
_O_T_EE = 4 * _N + 6
_COUNT = _O_T_EE + 16
_NUMBERS = Struct(f"{_COUNT}d")


@dataclass(frozen=True, kw_only=True, eq=False)
class DoorRow(KernelParams):
    """Constants of the conversion.

    Attributes:
        X_FK: Pose of the stiffness frame, at which the arm estimates the wrench, in F.
        X_SF: Pose of the flange in S.
        X_TK: Pose of the stiffness frame in T.
        q_FE: Orientation of the end effector in F.
        com_F: Centre of mass of what the arm was told to carry, m.
        mass: Its mass, kg.
        estimates: 0 if the server estimates no external torque.
    """

    X_FK: Array
    X_SF: Array
    X_TK: Array
    q_FE: Array
    com_F: Array
    mass: float
    estimates: int


class FrankaDoor:
    """Converts states."""

    def __init__(self, tool: Tool, state: Any) -> None:
        """Make the door.

        Args:
            tool: The configured tool.
            state: A state of the arm, with its frames and its load.
        """
        X_FE = from_matrix(state.F_T_EE)
        X_FK = X_FE * from_matrix(state.EE_T_K)
        self._row = DoorRow(
            X_FK=_numbers(X_FK),
            X_SF=_numbers(pose_to_se3(tool.X_FS).inverse()),
            X_TK=_numbers(pose_to_se3(tool.X_FT).actInv(X_FK)),
            q_FE=_numbers(X_FE)[3:],
            com_F=np.array(state.F_x_Ctotal),
            mass=float(state.m_total),
            estimates=int(has_estimate(state)),
        ).row()
        self._values = np.zeros(_COUNT)
        self._sequence = np.zeros(1, np.int64)
        self._convert = Direct(convert)

    @property
    def estimates(self) -> bool:
        """Whether the server estimates external torques."""
        return bool(self._row["estimates"][0])

    def write(self, state: Any, status: int, tick: Rows) -> None:
        """Write the columns of stage `robot`."""
        # much faster than six assignments to slices
        _NUMBERS.pack_into(
            self._values.data,
            0,
            *state.q,
            *state.dq,
            *state.tau_J,
            *state.tau_ext_hat_filtered,
            *state.K_F_ext_hat_K,
            *state.O_T_EE,
        )
        self._convert.call(self._values, self._row, self._sequence, status, tick)


def has_estimate(state: Any) -> bool:
    """Whether the external torques are an estimate, and not just what the joints measure.

    Some servers report the measured torques as external ones, with gravity, and no wrench.
    """
    return any(state.K_F_ext_hat_K) or list(state.tau_ext_hat_filtered) != list(state.tau_J)


def from_matrix(columns: Sequence[float]) -> pin.SE3:
    """A pose from a matrix that is stored by columns."""
    return pin.SE3(np.array(columns).reshape(4, 4, order="F"))


def to_matrix(pose: PoseNumbers) -> list[float]:
    """The matrix of a pose, stored by columns."""
    return pose_to_se3(pose).homogeneous.ravel(order="F").tolist()


def _numbers(X: pin.SE3) -> Array:
    """A pose as x y z qw qx qy qz."""
    numbers = pin.SE3ToXYZQUAT(X)
    return np.concatenate([numbers[:3], np.roll(numbers[3:], 1)])


@kernel
def convert(
    v: Array, p: Row[DoorRow], sequence: NDArray[np.int64], status: int, tick: Row[Tick]
) -> None:
    """Write the robot's columns of the tick.

    Args:
        v: q, dq, tau_J, tau_ext_hat_filtered, K_F_ext_hat_K and O_T_EE, one after the other.
        p: The constants.
        sequence: In, out: number of readings of the wrench.
        status: `robot_status`.
        tick: Out.
    """
    t, c = tick[0], p[0]
    w_K, w_F, weight, g_F = scratch(6), scratch(6), scratch(6), scratch(3)
    for j in range(_N):
        t.q[j], t.qd[j], t.tau[j] = v[j], v[_N + j], v[2 * _N + j]
        t.temperature[j] = TEMPERATURE
        t.tau_ext[j] = -v[3 * _N + j] if c.estimates != 0 else np.nan
    # near a singularity the arm reports exactly nothing, which is no reading
    read = c.estimates == 0
    for i in range(6):
        w_K[i] = -v[4 * _N + i] if c.estimates != 0 else 0.0
        read = read or w_K[i] != 0.0
    if read:
        sequence[0] += 1
    t.sensor_seq = sequence[0]
    t.robot_status = status
    wrench_move(c.X_TK, w_K, t.w_ext_T)
    if c.estimates == 0:
        t.w_ext_T[:] = np.nan
    wrench_move(c.X_FK, w_K, w_F)
    for i in range(3):
        # the last row of O_T_EE
        g_F[i] = -GRAVITY * v[_O_T_EE + 4 * i + 2]
    quat_rotate(c.q_FE, g_F, g_F)
    for i in range(3):
        weight[i] = c.mass * g_F[i]
    cross(c.com_F, weight[:3], weight[3:])
    for i in range(6):
        w_F[i] += weight[i]
    wrench_move(c.X_SF, w_F, t.w_S_raw)
    t.true_f_fixture_W[:] = np.nan
    t.true_f_peak, t.true_side_peak, t.true_torque_peak = np.nan, np.nan, np.nan
