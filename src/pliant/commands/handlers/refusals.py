"""Checks that refuse a command, each with its reason."""

from collections.abc import Sequence

import numpy as np

from pliant.commands.reply import numbers
from pliant.config import Config
from pliant.errors import ConfigError, Refused, UnknownNameError
from pliant.laws import TORQUE_LAWS, Law
from pliant.numerics.spatial import Array, pose_error
from pliant.reasons import SENSOR_REASON_OFFSET, Reason, State, Verdict
from pliant.stages.safety import SafetyConfig
from pliant.stages.supervisor.reason_text import read_text
from pliant.stages.wrench import AT_REST, WrenchConfig
from pliant.stages.wrench.zeroing import refuse_load
from pliant.tick import Rows

_FOLLOWED = {
    "tool": "a reference of the tool",
    "joints": "a reference of the joints",
    "nothing": "no reference",
}
# Distance, m, and angle, rad, from a target at which it counts as reached.
_NEAR, _NEAR_ANGLE = 5e-3, 0.03
_SENSOR_LOST = (Verdict.STALE, Verdict.NOT_FINITE, Verdict.SATURATED)


def refuse_limp_axes(config: Config, Tr: Array, n_af: int) -> None:
    """Refuse rigid axes driven by a spring of zero stiffness: nothing would hold them."""
    law = config.laws.hybrid_admittance
    if law.rigid_axes != "spring":
        return
    K = np.array(law.stiffness)
    stiffness = np.einsum("ij,j,ij->i", Tr, K, Tr)[n_af:]
    if (stiffness <= 0.0).any():
        raise ConfigError(
            "with rigid_axes = spring, every axis without force control needs a stiffness "
            f"above zero; stiffness is {numbers(K)}"
        )


def refuse_in_fault(state: int, row: Rows) -> None:
    """Refuse in the fault state."""
    if state == State.FAULT:
        raise Refused(f"in fault ({read_text(row)}): reset first")


def refuse_unknown_law(law: str, known: list[str]) -> None:
    """Refuse a law that this arm cannot run."""
    if law in known:
        return
    if law in [other.name for other in TORQUE_LAWS]:
        raise Refused(
            f"{law} commands joint torques, but this arm accepts only positions; "
            f"laws that it can run: {', '.join(known)}"
        )
    raise UnknownNameError("law", law, known)


def refuse_zeroing(row: Rows, force_asked: bool, config: WrenchConfig) -> None:
    """Refuse zeroing unless the tool is at rest and free, as far as that is known."""
    verdict = Verdict(int(row["verdict"][0]))
    if verdict not in (Verdict.READY, Verdict.NEVER_ZEROED):
        raise Refused(f"cannot zero: {verdict.text}")
    speed = np.abs(row["v_WT_W"][0]).max()
    if speed > AT_REST:
        raise Refused(f"cannot zero while the tool moves: {speed:.4f} m/s or rad/s of {AT_REST:g}")
    if force_asked:
        raise Refused("cannot zero while a force is asked for: set the wrench to zero first")
    refuse_load(row, config)


def refuse_unless_cause_gone(row: Rows, new_limits: bool) -> None:
    """Refuse a reset while the cause of the fault is still there."""
    # after a change of limits safety judges again in the next tick
    trip = Reason.NONE if new_limits else Reason(int(row["trip"][0]))
    verdict = Verdict(int(row["verdict"][0]))
    if trip is Reason.CONTACT_FORCE:
        raise Refused(
            f"the cause is still there: {trip.text}; free the tool, or raise "
            "safety.contact_force and contact_torque to drive it away under position control"
        )
    if trip is not Reason.NONE:
        raise Refused(f"the cause is still there: {trip.text}")
    if row["robot_status"][0]:
        raise Refused(f"the cause is still there: {Reason.ROBOT.text}")
    if verdict in _SENSOR_LOST and row["reason"][0] == verdict + SENSOR_REASON_OFFSET:
        raise Refused(f"the cause is still there: {verdict.text}")


def refuse_outside(pose: Array, limit: SafetyConfig) -> None:
    """Refuse a tool target outside the workspace."""
    low, high = limit.workspace_min, limit.workspace_max
    for axis, value, least, most in zip("xyz", pose[:3], low, high, strict=True):
        if not least <= value <= most:
            raise Refused(
                f"the target lies outside the workspace: {axis} = {value:g} m is not within "
                f"{least:g} to {most:g} m"
            )


def refuse_out_of_reach(pose: Array, nearest: Array) -> None:
    """Refuse a tool target that the arm does not reach by a straight motion from where it is.

    Args:
        pose: The target.
        nearest: The pose nearest to it that the arm gets to.
    """
    e = np.empty(6)
    pose_error(nearest, pose, e)
    distance, angle = np.linalg.norm(e[:3]), np.linalg.norm(e[3:])
    if distance > _NEAR or angle > _NEAR_ANGLE:
        raise Refused(
            f"the target is out of reach: straight from here the arm gets no closer than "
            f"{distance:.3f} m and {np.degrees(angle):.0f}°, at {numbers(nearest[:3])}"
        )


def refuse_speed(speed: float, config: Config) -> None:
    """Refuse a move that is to be faster than the reference may be."""
    most = config.reference.max_speed[0]
    if speed > most:
        raise Refused(
            f"{speed:g} m/s is beyond reference.max_speed, {most:g} m/s: raise that first"
        )


def refuse_loading(before: Config, after: Config) -> None:
    """Refuse to load a file while a law is active: reading it takes time."""
    if after.reference.playback.file != before.reference.playback.file:
        raise Refused("a motion is loaded only while no law is active: deactivate first")


def refuse_mismatch(law: Law, laws: Sequence[Law], reference: str) -> None:
    """Refuse to move a reference that the active law does not follow."""
    if law.takes != reference:
        fit = [other.name for other in laws if other.takes == reference]
        way_out = f"laws that follow it: {', '.join(fit)}" if fit else "deactivate it first"
        raise Refused(
            f"{law.name} follows {_FOLLOWED[law.takes]}, and this would move "
            f"{_FOLLOWED[reference]}; {way_out}"
        )
