"""Reference motions: what the supervisor writes to start each, and why it may refuse."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant import commands as c
from pliant.commands.handlers.path_motion import begin_path
from pliant.config import Config
from pliant.errors import Refused
from pliant.laws import Law
from pliant.numerics.spatial import Array
from pliant.stages.reference import ReferenceParameters, RefKind
from pliant.stages.reference.curves import go_on
from pliant.stages.reference.joint_parameters import peak_of_sinus
from pliant.tick import Rows

KINDS: dict[type[c.StartReference], RefKind] = {
    c.Home: RefKind.HOMING,
    c.Sinus: RefKind.SINUS,
    c.FollowHand: RefKind.FOLLOW_HAND,
    c.Playback: RefKind.PLAYBACK,
    c.Circle: RefKind.CIRCLE,
    c.FollowPath: RefKind.PATH,
}

# Fractions of a motion at which its limits are checked.
_SAMPLES = np.linspace(0.0, 1.0, 41)
# Durations, s, that are tried if the requested one is too short.
_TIMES = np.geomspace(0.1, 100.0, 61)


@dataclass(frozen=True, kw_only=True)
class Start:
    """Where a motion starts: at the current reference or, without one, at the arm.

    Attributes:
        q: Positions of the joints, rad.
        qd: Their velocities, rad/s.
        qdd: Their accelerations, rad/s².
        X_WR: Pose of the tool.
        row: The last tick.
    """

    q: Array
    qd: Array
    qdd: Array
    X_WR: Array
    row: Rows


def start_of(row: Rows, law: Law, fresh: bool) -> Start:
    """Where a motion under a law starts; under a law just activated, at the arm."""
    goes_on = law.takes == "joints" and not fresh
    q, qd = ("q_ref", "qd_ref") if goes_on else ("q_sent", "qd_limited")
    return Start(
        q=row[q][0].copy(),
        qd=row[qd][0].copy(),
        qdd=row["qdd_ref"][0] * goes_on,
        X_WR=row["X_WT_cmd" if fresh else "X_WR"][0].copy(),
        row=row,
    )


def begin(
    command: c.StartReference, start: Start, reference: ReferenceParameters, config: Config
) -> dict[str, Any]:
    """The supervisor's columns that start a motion.

    Raises:
        Refused: The arm cannot do it from there; the message says what it can do.
    """
    if isinstance(command, c.Home):
        columns = _homing(command, start, reference)
    elif isinstance(command, c.Sinus):
        columns = _sinus(start, reference)
    elif isinstance(command, c.FollowHand):
        columns = _follow_hand(start, config)
    elif isinstance(command, c.Playback):
        columns = _playback(start, reference)
    elif isinstance(command, c.FollowPath):
        columns = begin_path(start.row, start.X_WR, reference, config)
    else:
        columns = _circle(start, config)
    return {"ref_kind": KINDS[type(command)]} | columns


def check_sinus(middle: Array, reference: ReferenceParameters) -> None:
    """Refuse a sinus that would exceed a joint's limits.

    Raises:
        Refused: It does; the message names the joint.
    """
    excursion, speed = peak_of_sinus(reference.joints.params)
    low, high, fastest = _limits(reference)
    for j in range(len(middle)):
        if not (low[j] <= middle[j] - excursion[j] and middle[j] + excursion[j] <= high[j]):
            raise Refused(
                f"joint {j} would swing between {middle[j] - excursion[j]:.3g} and "
                f"{middle[j] + excursion[j]:.3g} rad, beyond {low[j]:.3g} to {high[j]:.3g} rad: "
                "lower reference.sinus.amplitude, or start from another configuration"
            )
        if speed[j] > fastest[j]:
            raise Refused(
                f"joint {j} would swing at {speed[j]:.3g} rad/s, beyond {fastest[j]:.3g} rad/s: "
                "lower reference.sinus.amplitude or frequency"
            )


def _homing(command: c.Home, start: Start, reference: ReferenceParameters) -> dict[str, Any]:
    arm = reference.arm
    target = np.array(arm.home if command.joints is None else command.joints)
    if target.shape != (arm.n,):
        raise Refused(f"give {arm.n} joint positions, one per joint, not {target.size}")
    low, high, _ = _limits(reference)
    for j in range(arm.n):
        if not low[j] <= target[j] <= high[j]:
            raise Refused(
                f"joint {j} at {target[j]:g} rad is beyond {low[j]:.4g} to {high[j]:.4g} rad"
            )
    wrong = _what_is_wrong(start, target, command.time, reference)
    if wrong:
        fit = [
            t
            for t in _TIMES
            if t > command.time and not _what_is_wrong(start, target, t, reference)
        ]
        instead = f"give it {fit[0]:.2g} s" if fit else "come to rest first"
        raise Refused(f"in {command.time:g} s {wrong}: {instead}")
    return {"q_target": target, "ref_time": command.time}


def _what_is_wrong(start: Start, target: Array, time: float, reference: ReferenceParameters) -> str:
    """The limit that a minimum-jerk motion would exceed, in words; empty if none."""
    low, high, fastest = _limits(reference)
    hardest = reference.arm.qdd_max
    for j in range(len(target)):
        way = np.array(
            [
                go_on(start.q[j], start.qd[j], start.qdd[j], target[j], time, share * time)
                for share in _SAMPLES[:-1]
            ]
        )
        if np.abs(way[:, 1]).max() > max(fastest[j], abs(start.qd[j])):
            return (
                f"joint {j} would move at {np.abs(way[:, 1]).max():.3g} of {fastest[j]:.3g} rad/s"
            )
        if np.abs(way[:, 2]).max() > max(hardest[j], abs(start.qdd[j])):
            return f"joint {j} would have {np.abs(way[:, 2]).max():.3g} of {hardest[j]:.3g} rad/s²"
        if way[:, 0].min() < min(low[j], start.q[j]) or way[:, 0].max() > max(high[j], start.q[j]):
            return f"joint {j} would overshoot its limits {low[j]:.3g} to {high[j]:.3g} rad"
    return ""


def _sinus(start: Start, reference: ReferenceParameters) -> dict[str, Any]:
    check_sinus(start.q, reference)
    return {"q_target": start.q}


def _follow_hand(start: Start, config: Config) -> dict[str, Any]:
    if config.reference.follow_hand.source == "arm":
        if not np.isfinite(start.row["w_ext_T"][0]).all():
            raise Refused("this arm does not estimate the hand's force: use source = sensor")
    elif start.row["verdict"][0] != 0:
        raise Refused("the force sensor is not ready: zero it with the tool free")
    return {}


def _playback(start: Start, reference: ReferenceParameters) -> dict[str, Any]:
    return {"ref_time": reference.time_to_begin(start.q)}


def _circle(start: Start, config: Config) -> dict[str, Any]:
    circle = config.reference.circle
    first = "xyz".index(circle.plane[0])
    corners = np.array([start.X_WR[:3]] * 3)
    corners[1, first] -= circle.diameter
    for sign in (-0.5, 0.5):
        corners[2] = start.X_WR[:3]
        corners[2, (first + 1) % 3] += sign * circle.diameter
        low, high = np.array(config.safety.workspace_min), np.array(config.safety.workspace_max)
        if (corners < low).any() or (corners > high).any():
            raise Refused(
                "the circle would leave the workspace: start from another pose, or lower diameter"
            )
    return {"X_WR_target": start.X_WR}


def _limits(reference: ReferenceParameters) -> tuple[Array, Array, Array]:
    p = reference.joints.params[0]
    return p.q_min, p.q_max, p.qd_max
