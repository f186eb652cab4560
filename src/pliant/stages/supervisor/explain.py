"""Why the arm stopped: the cause with its figures, the limit, and the remedy.

The column takes 120 bytes. The reason itself comes first, then the figures; the remedy comes last.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.arms.robot_status import status_text
from pliant.params import AXES
from pliant.reasons import Reason
from pliant.stages.joints.joint_modes import joint_faults
from pliant.stages.safety import SafetyConfig
from pliant.stages.supervisor.reason_text import write_text
from pliant.stages.wrench import WrenchConfig
from pliant.tick import Rows


@dataclass(frozen=True, kw_only=True)
class StopLimits:
    """The limits that stop an arm.

    Attributes:
        safety: Those of the safety stage.
        wrench: Those of the sensor.
        arm: Those of the arm itself.
    """

    safety: SafetyConfig
    wrench: WrenchConfig
    arm: ArmDescription


def write_reason(prev: Rows, tick: Rows, limits: StopLimits) -> None:
    """Put the reason of a tick into it in words; what gave it is in the tick before."""
    reason = Reason(tick["reason"].item())
    # a lost sensor and a stopped arm are seen in the tick itself, everything else in the one before
    row = tick if reason in _SEEN_AT_ONCE and not prev["trip"].item() else prev
    details = _DETAILS.get(reason)
    write_text(tick, f"{reason.text}{details(row, limits)}" if details else reason.text)


def explain_stall(prev: Rows, tick: Rows) -> str:
    """Why a move ended before its target, in words."""
    short = float(np.linalg.norm(tick["X_WR_target"][0, :3] - tick["X_WT"][0, :3]))
    if prev["clipped"].item() & 1:
        limit = "a joint is at its position limit"
    elif prev["dls_damping"].item() > 0.0:
        limit = "the arm is at its reach, or at a singularity"
    else:
        limit = "a limit of safety holds it back"
    return f"the move ended {short:.3f} m from its target: the arm cannot get closer, as {limit}"


def explain_swings(tick: Rows) -> str:
    """That the force swings, along which axis, and what is done about it."""
    row = int(np.argmax(tick["swings"][0]))
    span, count = tick["swing_range"][0, row], tick["swings"][0, row]
    axis = AXES[int(np.argmax(np.abs(tick["Tr"][0, row])))]
    unit = "N" if len(axis) == 1 else "N·m"
    return (
        f"the force swings along {axis}, by {span:.1f} {unit} in {count} half swings: damping "
        "and inertia are raised until it is calm; use more damping, or damping_mode adaptive"
    )


def _contact(row: Rows, limits: StopLimits) -> str:
    force, torque = np.linalg.norm(row["w_T_raw"][0].reshape(2, 3), axis=1)
    return (
        f": {force:.0f} N of {limits.safety.contact_force:g} N, "
        f"{torque:.1f} N·m of {limits.safety.contact_torque:g} N·m; free the tool, reset"
    )


def _temperature(row: Rows, limits: StopLimits) -> str:
    # a NaN is the hottest
    joint = int(np.argmax(row["temperature"][0]))
    hot = row["temperature"][0, joint]
    return (
        f": joint {joint} at {hot:.0f} °C of {limits.arm.temperature_max:g} °C; let it cool, reset"
    )


def _late(row: Rows, limits: StopLimits) -> str:
    late, most = row["lateness"].item(), limits.safety.lateness_of(simulated=False)
    return f": {1e3 * late:.0f} ms of {1e3 * most:g} ms; free the machine or raise safety.lateness"


def _workspace(row: Rows, limits: StopLimits) -> str:
    """The axis along which the tool is nearest to leaving the box."""
    place, speed = row["X_WT_sent"][0, :3], row["v_WT_sent_W"][0, :3]
    if row["by_torque"].any():
        place, speed = row["X_WT"][0, :3], row["v_WT_W"][0, :3]
    low, high = np.array(limits.safety.workspace_min), np.array(limits.safety.workspace_max)
    edge = np.where(speed < 0.0, low, high)
    left = np.where(speed == 0.0, np.inf, (edge - place) * np.sign(speed))
    i = int(np.argmin(left))
    return f": {'xyz'[i]} = {place[i]:.3f} m of {edge[i]:g} m; reset and move inwards"


def _joint_position(row: Rows, limits: StopLimits) -> str:
    q, arm = row["q"][0], limits.arm
    joint = int(np.argmax(np.maximum(q - arm.q_max, arm.q_min - q)))
    limit = (arm.q_max if q[joint] > 0.5 * (arm.q_min + arm.q_max)[joint] else arm.q_min)[joint]
    return f": joint {joint} at {q[joint]:.3f} rad of {limit:g} rad; reset and move back"


def _joint_speed(row: Rows, limits: StopLimits) -> str:
    qd, most = np.abs(row["qd"][0]), limits.arm.qd_max
    joint = int(np.argmax(qd / most))
    return f": joint {joint} at {qd[joint]:.2f} of {most[joint]:g} rad/s; lower the torque, reset"


def _tool_speed(row: Rows, limits: StopLimits) -> str:
    speed = float(np.linalg.norm(row["v_WT_W"][0, :3]))
    return f": {speed:.2f} of {limits.safety.highest_tool_speed:g} m/s; soften the law, reset"


def _not_finite(row: Rows, limits: StopLimits) -> str:
    for name, what in _NUMBERS.items():
        bad = np.flatnonzero(~np.isfinite(row[name][0]))
        if len(bad):
            return f": {what} of joint {bad[0]}; check law and encoder"
    return ": a step too large; check the law"


def _stale(row: Rows, limits: StopLimits) -> str:
    return f" ({1e3 * row['sensor_age'].item():.0f} of {1e3 * limits.wrench.stale_after:g} ms)"


def _saturated(row: Rows, limits: StopLimits) -> str:
    w, most = np.abs(row["w_S_raw"][0]), np.array(limits.wrench.sensor_range)
    i = int(np.argmax(w / most))
    return f" ({w[i]:.0f} of {most[i]:g} {'N' if i < 3 else 'N·m'})"


_NUMBERS = {
    "q": "position",
    "qd": "velocity",
    "q_requested": "set point",
    "tau_requested": "torque",
}
"""Columns that must be finite, and their names in a text."""

_DETAILS: dict[Reason, Callable[[Rows, StopLimits], str]] = {
    Reason.CONTACT_FORCE: _contact,
    Reason.TEMPERATURE: _temperature,
    Reason.LATE: _late,
    Reason.WORKSPACE: _workspace,
    Reason.JOINT_POSITION: _joint_position,
    Reason.JOINT_SPEED: _joint_speed,
    Reason.TOOL_SPEED: _tool_speed,
    Reason.NOT_FINITE: _not_finite,
    Reason.JOINT_FAULT: lambda row, _: f": {joint_faults(row)}; reset clears it",
    Reason.REACTION: lambda row, _: f": number {row['reaction_slot'].item()}",
    Reason.ROBOT: lambda row, _: f": {status_text(row['robot_status'].item())}",
    Reason.SENSOR_STALE: _stale,
    Reason.SENSOR_SATURATED: _saturated,
}
"""What is added to the words of a reason, with its punctuation."""

_SEEN_AT_ONCE = (Reason.REACTION, Reason.ROBOT, Reason.SENSOR_STALE, Reason.SENSOR_SATURATED)
