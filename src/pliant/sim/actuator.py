"""The arm's position interface: dead time, first-order lag, then a stiff servo.

The set point written in one control period is the position one period later; in between the
interpolation r is linear. The joint servos follow r after the dead time L and the lag
τ q̇ₛ = r(t − L) − qₛ:

    τ_motor = k (qₛ − q) + d (q̇ₛ − q̇) + M(q) q̈ₛ + h(q, q̇),   |τ_motor| ≤ τ_max

with feed-forward of the arm's gravity, Coriolis and inertial torques, as in real controllers.
Without dead time and lag the arm is at its set point, and it never sags under its weight.
"""

from functools import cache
from math import exp, floor

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.linalg import packed_entry
from pliant.numerics.spatial import Array
from pliant.params import Params, param
from pliant.tick import N, column, table_dtype

HISTORY = 128
"""Number of stored set points: more than the longest dead time at 1 kHz."""


class ActuatorConfig(Params):
    """Lag of the arm behind its set points; 34 ms in total were measured with a UR's servoj."""

    dead_time: float | None = param(
        None,
        "s",
        "Time before the arm responds to a set point; null: the arm's typical one.",
        ge=0.0,
        le=0.1,
    )
    time_constant: float | None = param(
        None,
        "s",
        "First-order lag behind the set points; null: the arm's typical one.",
        ge=0.0,
        le=0.1,
    )

    def lag_of(self, arm: ArmDescription) -> tuple[float, float]:
        """Dead time and time constant of an arm, s."""
        dead = arm.dead_time if self.dead_time is None else self.dead_time
        lag = arm.time_constant if self.time_constant is None else self.time_constant
        return dead, lag


class Actuator:
    """Constants and state of the actuator, one row."""

    dead_time: float = column("sim", (), "s", "Delay of the set points.")
    time_constant: float = column("sim", (), "s", "Lag behind the delayed set points.")
    period: float = column("sim", (), "s", "Control period.")
    step: float = column("sim", (), "s", "Physics step.")
    stiffness: Array = column("sim", (N,), "N·m/rad", "Servo stiffness.")
    damping: Array = column("sim", (N,), "N·m·s/rad", "Servo damping.")
    q_written: Array = column("sim", (N,), "rad", "Next set point.")
    q_history: Array = column("sim", (HISTORY, N), "rad", "Ring buffer of set points.")
    newest: int = column("sim", (), "1", "Index of the newest set point in the ring buffer.")
    elapsed: float = column("sim", (), "s", "Time since the newest set point.")
    q_s: Array = column("sim", (N,), "rad", "Set point of the servos.")
    q_before: Array = column("sim", (N,), "rad", "Set point of the servos a step earlier.")
    qd_s: Array = column("sim", (N,), "rad/s", "Mean velocity of q_s over the last step.")
    qdd_s: Array = column("sim", (N,), "rad/s²", "Acceleration of q_s in this step.")


@cache
def actuator_dtype(n: int) -> np.dtype:
    """The dtype of the actuator's row; one object per n, as for the tick."""
    return table_dtype(Actuator, n)


def new_actuator(
    lag: tuple[float, float],
    period: float,
    step: float,
    stiffness: Array,
    damping: Array,
    q_start: Array,
) -> np.ndarray:
    """A row of the actuator at rest; its lag is a dead time and a time constant, s."""
    row = np.zeros(1, actuator_dtype(len(q_start)))
    row["dead_time"], row["time_constant"] = lag
    row["period"] = period
    row["step"] = step
    row["stiffness"] = stiffness
    row["damping"] = damping
    row["elapsed"] = period
    hold(row, q_start)
    return row


def hold(row: np.ndarray, q: Array) -> None:
    """Discard all set points and rest at a configuration."""
    for name in ("q_written", "q_history", "q_s"):
        row[name] = q
    row["qd_s"] = 0.0


@kernel
def drive(actuator: Row[Actuator], M: Array, bias: Array, ctrl: Array) -> None:
    """Write the servos' input for the next physics step, and advance the lag by one step.

    Takes the set point last written at the start of a control period.

    Args:
        actuator: The actuator's row.
        M: Mass matrix, lower triangle packed by rows.
        bias: Gravity and Coriolis torques, N·m.
        ctrl: Out: MuJoCo's position set points, with all feed-forward divided by the stiffness.
    """
    a = actuator[0]
    n = a.q_s.size
    if a.elapsed > a.period - 0.5 * a.step:
        _take_set_point(actuator)
    for i in range(n):
        ctrl[i] = a.q_s[i]
    _advance(actuator)
    for i in range(n):
        inertial = 0.0
        for j in range(n):
            inertial += packed_entry(M, i, j) * a.qdd_s[j]
        ctrl[i] += (a.damping[i] * a.qd_s[i] + inertial + bias[i]) / a.stiffness[i]


@kernel
def _take_set_point(actuator: Row[Actuator]) -> None:
    """Start a control period with the set point last written."""
    a = actuator[0]
    a.newest = (a.newest + 1) % HISTORY
    a.elapsed = 0.0
    for i in range(a.q_s.size):
        a.q_history[a.newest, i] = a.q_written[i]


@kernel
def _advance(actuator: Row[Actuator]) -> None:
    """Move q_s by one physics step; its velocity is the mean over the step."""
    a = actuator[0]
    for i in range(a.q_s.size):
        a.q_before[i] = a.q_s[i]
    start = (a.elapsed - a.dead_time) / a.period
    end = start + a.step / a.period
    corner = floor(start) + 1.0
    if corner < end:
        _follow(actuator, start, corner)
        _follow(actuator, corner, end)
    else:
        _follow(actuator, start, end)
    a.elapsed += a.step
    for i in range(a.q_s.size):
        velocity = (a.q_s[i] - a.q_before[i]) / a.step
        a.qdd_s[i] = (velocity - a.qd_s[i]) / a.step
        a.qd_s[i] = velocity


@kernel
def _follow(actuator: Row[Actuator], start: float, end: float) -> None:
    """Solve the lag exactly over one linear segment of the set point.

    Times are in periods since the newest set point, minus the dead time.
    """
    a = actuator[0]
    segment = floor(start)
    before = (a.newest + int(segment) - 1) % HISTORY
    after = (before + 1) % HISTORY
    duration = (end - start) * a.period
    decay = exp(-duration / a.time_constant) if a.time_constant > 0.0 else 0.0
    for i in range(a.q_s.size):
        change = a.q_history[after, i] - a.q_history[before, i]
        r_start = a.q_history[before, i] + (start - segment) * change
        r_end = a.q_history[before, i] + (end - segment) * change
        behind = a.time_constant * change / a.period
        a.q_s[i] = r_end - behind + (a.q_s[i] - r_start + behind) * decay
