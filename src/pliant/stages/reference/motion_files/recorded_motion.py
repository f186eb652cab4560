"""A recorded joint motion, and the check whether an arm can replay it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.errors import ConfigError
from pliant.numerics.spatial import Array

MOST_SAMPLES = 1_000_000
"""Most samples of a motion: a quarter of an hour at 1 kHz."""

_LONGEST = 1e5
_SHORTEST_STEP = 1e-6
"""Duration of a motion and time between two of its samples, s; velocities stay finite."""

_MOST_TORQUE = 1e4
"""Largest recorded torque, N·m."""


@dataclass(frozen=True, kw_only=True)
class Motion:
    """Joint positions and torques over time.

    Attributes:
        name: Name for messages, such as that of the file.
        time: Times, from 0, s.
        q: Positions, one row per time, rad.
        tau: Torques, N·m; zero where none were recorded.
        has_gravity: Whether the torques contain the gravity torque.
        place: Describes the place of a sample in the file, such as "line 7".
    """

    name: str
    time: Array
    q: Array
    tau: Array
    has_gravity: bool
    place: Callable[[int], str]

    @property
    def qd(self) -> Array:
        """Velocities, from neighbouring positions, rad/s."""
        return np.gradient(self.q, self.time, axis=0)


def check(motion: Motion, arm: ArmDescription) -> Motion:
    """Check a motion, and return it with its time starting at 0.

    Raises:
        ConfigError: The arm cannot replay it; the message says where in the file.
    """
    _check_shape(motion, arm)
    _check_numbers(motion)
    _check_order(motion)
    _check_limits(motion, arm)
    return replace(motion, time=motion.time - motion.time[0])


def _check_shape(motion: Motion, arm: ArmDescription) -> None:
    if motion.q.ndim != 2 or motion.q.shape != motion.tau.shape or motion.time.ndim != 1:
        raise ConfigError(f"{motion.name} has no table of positions and torques")
    if motion.q.shape[1] != arm.n:
        raise ConfigError(
            f"{motion.name} has {motion.q.shape[1]} joints in {motion.place(0)}, the {arm.name} "
            f"has {arm.n}"
        )
    if len(motion.time) < 2:
        raise ConfigError(f"{motion.name} is too short: {len(motion.time)} samples")
    if len(motion.time) > MOST_SAMPLES:
        raise ConfigError(
            f"{motion.name} is too long: {len(motion.time)} samples, more than {MOST_SAMPLES}"
        )


def _check_numbers(motion: Motion) -> None:
    parts = (("time", motion.time[:, None]), ("position", motion.q), ("torque", motion.tau))
    for name, values in parts:
        wrong = np.argwhere(~np.isfinite(values))
        if len(wrong):
            row, joint = wrong[0]
            of = "" if name == "time" else f" of joint {joint}"
            raise ConfigError(
                f"{motion.name}, {motion.place(row)}: the {name}{of} is {values[row, joint]}"
            )
    large = np.argwhere(np.abs(motion.tau) > _MOST_TORQUE)
    if len(large):
        row, joint = large[0]
        raise ConfigError(
            f"{motion.name}, {motion.place(row)}: the torque {motion.tau[row, joint]:g} N·m of "
            f"joint {joint} is beyond {_MOST_TORQUE:g} N·m"
        )


def _check_order(motion: Motion) -> None:
    if not np.abs(motion.time).max() < 1e10 or np.ptp(motion.time) > _LONGEST:
        raise ConfigError(f"{motion.name} lasts longer than {_LONGEST:g} s")
    back = np.flatnonzero(np.diff(motion.time) < _SHORTEST_STEP)
    if len(back):
        k = int(back[0]) + 1
        raise ConfigError(
            f"{motion.name}, {motion.place(k)}: the time {motion.time[k]:g} s does not come after "
            f"{motion.time[k - 1]:g} s by {_SHORTEST_STEP:g} s or more"
        )


def _check_limits(motion: Motion, arm: ArmDescription) -> None:
    beyond = np.argwhere((motion.q < arm.q_min) | (motion.q > arm.q_max))
    if len(beyond):
        k, joint = beyond[0]
        raise ConfigError(
            f"{motion.name}, {motion.place(k)}: joint {joint} at {motion.q[k, joint]:g} rad is "
            f"beyond its limits {arm.q_min[joint]:g} to {arm.q_max[joint]:g} rad"
        )
    speed = np.abs(np.diff(motion.q, axis=0)) / np.diff(motion.time)[:, None]
    fast = np.argwhere(speed > arm.qd_max)
    if len(fast):
        k, joint = fast[0]
        raise ConfigError(
            f"{motion.name}, {motion.place(k + 1)}: joint {joint} moves at "
            f"{speed[k, joint]:.3g} rad/s, beyond its limit {arm.qd_max[joint]:g} rad/s"
        )
