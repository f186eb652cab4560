"""A recorded motion made ready to play, so that nothing is left to do in the loop's thread."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pinocchio as pin

from pliant.arms.description import ArmDescription
from pliant.errors import ConfigError, Refused
from pliant.numerics.spatial import Array
from pliant.stages.reference.feed_forward import inertial_and_rest
from pliant.stages.reference.motion_files import read_motion


class MotionNotLoaded(Refused):
    """A command names a motion that nobody has read yet; nothing has changed.

    Attributes:
        file: The file, as the configuration names it.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        super().__init__(f"the motion of {file} is not loaded")


@dataclass(frozen=True, kw_only=True, eq=False)
class PlayableMotion:
    """A motion of an arm with n joints, checked and tabulated.

    Attributes:
        file: The file that it comes from, as the configuration names it.
        time: Times, from 0, s.
        table: One row per time: positions, velocities, inertial torques, rest of the torques.
        has_torque: Whether torques were recorded.
    """

    file: str
    time: Array
    table: Array
    has_torque: bool

    @property
    def q(self) -> Array:
        """Positions, one row per time, rad."""
        return self.table[:, : self.table.shape[1] // 4]


def read_playable(
    file: str, arm: ArmDescription, model: pin.Model, path: Path | None = None
) -> PlayableMotion:
    """Read a motion and make it ready; that takes time.

    Args:
        file: The file, as the configuration names it.
        arm: The arm that is to replay it.
        model: Its rigid-body model, with the tool.
        path: Where the file is; by default where its name says.

    Raises:
        ConfigError: It cannot be read or replayed; the message names the place.
    """
    motion = read_motion(path or file, arm)
    table = np.hstack([motion.q, motion.qd, *inertial_and_rest(motion, model)])
    if not np.isfinite(table).all():
        raise ConfigError(f"{motion.name} has no finite velocities and torques")
    return PlayableMotion(
        file=file,
        time=np.ascontiguousarray(motion.time),
        table=np.ascontiguousarray(table),
        has_torque=bool(motion.tau.any()),
    )
