"""Correction of the inertial forces in the physics engine's sensors.

MuJoCo integrates the servos' damping implicitly: in a step the arm gains less speed than the
acceleration from which the sensors are computed, by a third at the shoulder. The difference times
the tool's inertia is therefore subtracted from the force sensor's load, and times the arm's inertia
from the joint torques.
"""

from functools import cache

import numpy as np

from pliant.arms.tool import Tool
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.linalg import packed_entry
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import Array, cross
from pliant.tick import N, column, table_dtype


class Excess:
    """The tool's inertia, and the excess of the joint accelerations, one row."""

    mass: float = column("sim", (), "kg", "Mass of the tool.")
    moments: Array = column("sim", (3,), "kg·m²", "Its moments of inertia, along the axes of F.")
    step: float = column("sim", (), "s", "Physics step.")
    qd: Array = column("sim", (N,), "rad/s", "Joint velocities after the last step.")
    qdd_sum: Array = column("sim", (N,), "rad/s²", "Excess of the steps since the last reading.")
    tau_sum: Array = column("sim", (N,), "N·m", "Joint torques of those steps.")
    steps: int = column("sim", (), "1", "Number of those steps.")


@cache
def excess_dtype(n: int) -> np.dtype:
    """The dtype of the row; one object per n, as for the tick."""
    return table_dtype(Excess, n)


def new_excess(tool: Tool, step: float, n: int) -> np.ndarray:
    """A row for an arm at rest."""
    row = np.zeros(1, excess_dtype(n))
    row["mass"] = tool.mass
    row["moments"] = tool.inertia
    row["step"] = step
    return row


@kernel
def note_excess(excess: Row[Excess], M: Array, qacc: Array, qvel: Array, tau: Array) -> None:
    """Add to the sums what a physics step computed and did not do: acceleration, and its torque.

    Args:
        excess: The row.
        M: Mass matrix of the step, lower triangle packed by rows.
        qacc: Acceleration of the step, as computed.
        qvel: Joint velocities after the step.
        tau: Joint torques of the step, as computed.
    """
    e = excess[0]
    e.steps += 1
    n = e.qd.size
    for j in range(n):
        qdd = qacc[j] - (qvel[j] - e.qd[j]) / e.step
        e.qd[j] = qvel[j]
        e.qdd_sum[j] += qdd
        e.tau_sum[j] += tau[j]
        for i in range(n):
            e.tau_sum[i] -= packed_entry(M, i, j) * qdd


@kernel
def mean_torque(excess: Row[Excess], out: Array) -> None:
    """Write the effective joint torques, mean of the steps since the last call."""
    e = excess[0]
    for j in range(e.qd.size):
        out[j] = e.tau_sum[j] / e.steps
        e.tau_sum[j] = 0.0
    e.steps = 0


@kernel
def take_excess(
    excess: Row[Excess],
    cdof: Array,
    p_WC: Array,
    p_WM: Array,
    R_WF: Array,
    p_WS: Array,
    R_WS: Array,
    out: Array,
) -> None:
    """Write the excess of the sensor's load in S, summed over the steps since the last call.

    Args:
        excess: The row; its sum is reset.
        cdof: Unit velocities of the joints, angular first, at the point C.
        p_WC: The point C.
        p_WM: The tool's centre of mass.
        R_WF: Orientation of the flange.
        p_WS: Origin of the sensor.
        R_WS: Its orientation.
        out: Out: force and torque.
    """
    e = excess[0]
    alpha, a, arm, moment = scratch(3), scratch(3), scratch(3), scratch(3)
    alpha[:] = 0.0
    a[:] = 0.0
    for j in range(e.qd.size):
        for i in range(3):
            alpha[i] += cdof[j, i] * e.qdd_sum[j]
            a[i] += cdof[j, 3 + i] * e.qdd_sum[j]
        e.qdd_sum[j] = 0.0
    for i in range(3):
        arm[i] = p_WM[i] - p_WC[i]
    cross(alpha, arm, arm)
    for i in range(3):
        a[i] = e.mass * (a[i] + arm[i])
        arm[i] = p_WM[i] - p_WS[i]
    cross(arm, a, moment)
    for k in range(3):
        spin = R_WF[0, k] * alpha[0] + R_WF[1, k] * alpha[1] + R_WF[2, k] * alpha[2]
        for i in range(3):
            moment[i] += R_WF[i, k] * e.moments[k] * spin
    for k in range(3):
        out[k] = R_WS[0, k] * a[0] + R_WS[1, k] * a[1] + R_WS[2, k] * a[2]
        out[3 + k] = R_WS[0, k] * moment[0] + R_WS[1, k] * moment[1] + R_WS[2, k] * moment[2]
