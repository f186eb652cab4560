"""Why the arm stopped, with the figures."""

import numpy as np

from pliant.reasons import Reason
from pliant.stages.safety import SafetyConfig
from pliant.stages.supervisor.reason_text import joint_faults, write_text
from pliant.tick import Rows


def write_reason(prev: Rows, tick: Rows, limit: SafetyConfig) -> None:
    """Put the reason of a tick into it in words; what gave it is in the tick before."""
    write_text(tick, _explain(Reason(tick["reason"].item()), prev, tick, limit))


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


def _explain(reason: Reason, row: Rows, now: Rows, limit: SafetyConfig) -> str:
    """A reason in words, with the figures of the tick that gave it."""
    if reason is Reason.CONTACT_FORCE:
        force, torque = np.linalg.norm(row["w_T_raw"][0].reshape(2, 3), axis=1)
        return (
            f"{reason.text}: {force:.0f} N of {limit.contact_force:g} N, "
            f"{torque:.1f} N·m of {limit.contact_torque:g} N·m"
        )
    if reason is Reason.TEMPERATURE:
        joint = int(np.argmax(row["temperature"][0]))
        return f"{reason.text}: joint {joint} at {row['temperature'][0, joint]:.0f} °C"
    if reason in (Reason.JOINT_POSITION, Reason.JOINT_SPEED):
        name, unit = ("q", "rad") if reason is Reason.JOINT_POSITION else ("qd", "rad/s")
        return f"{reason.text}: {name} = {np.round(row[name][0], 3).tolist()} {unit}"
    if reason is Reason.REACTION:
        return f"{reason.text}: number {now['reaction_slot'].item()}"
    if reason is Reason.JOINT_FAULT:
        return f"{reason.text}: {joint_faults(row)}"
    return reason.text
