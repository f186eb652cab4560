"""Parameters of the reference stage that need the arm: limits, and the recorded motion to play."""

import numpy as np
import pinocchio as pin

from pliant.arms.chain import chain_row
from pliant.arms.description import ArmDescription
from pliant.errors import Refused
from pliant.numerics.profiles import PEAK_SPEED
from pliant.stages.reference.config import ReferenceConfig
from pliant.stages.reference.joint_parameters import joint_reference_params
from pliant.stages.reference.joint_reference import JointReference
from pliant.stages.reference.playable_motion import (
    MotionNotLoaded,
    PlayableMotion,
    read_playable,
)

# Shortest duration of the approach to the start of a motion, s.
_SHORTEST = 0.2


class ReferenceParameters:
    """The joint references of an arm as configured, and the motion to play.

    Attributes:
        config: The present parameters.
        arm: The arm's parameters.
        joints: The parameters of the joint references, for the kernel.
        motion: The motion to play; None without one.
        offered: A motion that `configure` may take, read elsewhere.
    """

    def __init__(self, config: ReferenceConfig, arm: ArmDescription, model: pin.Model) -> None:
        """Read the motion to play, if there is one.

        Args:
            config: The parameters.
            arm: The arm's parameters.
            model: Its rigid-body model, with the tool.

        Raises:
            ConfigError: The number of values per joint is wrong, or the motion's file is invalid.
        """
        self.arm = arm
        self._model = model
        self._chain = chain_row(model)
        file = config.playback.file
        self.motion: PlayableMotion | None = None
        self.offered = None if file is None else self.read(file)
        self.configure(config)
        self.offered = None

    def read(self, file: str) -> PlayableMotion:
        """Read a motion that `configure` may be offered; never while the loop runs.

        Raises:
            ConfigError: The file cannot be read or replayed; the message names the place.
        """
        return read_playable(file, self.arm, self._model)

    def configure(self, config: ReferenceConfig) -> None:
        """Take new parameters; they act from the next tick.

        Raises:
            ConfigError: The number of values per joint is wrong.
            MotionNotLoaded: They name a motion that is neither in force nor offered.
        """
        motion = self._motion_of(config.playback.file)
        way_back = 0.0 if motion is None else self._time_between(motion.q[-1], motion.q[0], config)
        has_torque = motion is not None and motion.has_torque
        self.joints = JointReference(
            params=joint_reference_params(config, self.arm, way_back, has_torque),
            chain=self._chain,
            motion_time=np.array([0.0, 1.0]) if motion is None else motion.time,
            motion=np.zeros((2, 4 * self.arm.n)) if motion is None else motion.table,
        )
        self.motion = motion
        self.config = config

    def time_to_begin(self, q: np.ndarray) -> float:
        """Time that playback takes from a configuration to the start of the motion, s.

        Raises:
            Refused: No motion is loaded.
        """
        if self.motion is None:
            raise Refused("there is nothing to play: set reference.playback.file while no law runs")
        return self._time_between(q, self.motion.q[0], self.config)

    def _motion_of(self, file: str | None) -> PlayableMotion | None:
        """The motion of a file: the one in force, or the one offered."""
        if file is None:
            return None
        for known in (self.motion, self.offered):
            if known is not None and known.file == file:
                return known
        raise MotionNotLoaded(file)

    def _time_between(self, start: np.ndarray, end: np.ndarray, config: ReferenceConfig) -> float:
        """Duration of a minimum-jerk motion from rest to rest at the configured speed."""
        speed = self.arm.qd_max * config.playback.join_speed_share
        return max(_SHORTEST, float((PEAK_SPEED * np.abs(end - start) / speed).max()))
