"""Parameters of the reference stage that need the arm: limits, and the recorded motion to play."""

import numpy as np
import pinocchio as pin

from pliant.arms.chain import chain_row
from pliant.arms.description import ArmDescription
from pliant.arms.reach import closest_pose
from pliant.errors import Refused
from pliant.numerics.profiles import PEAK_SPEED
from pliant.numerics.spatial import Array
from pliant.params import params_row
from pliant.stages.reference.config import ReferenceConfig
from pliant.stages.reference.joint_parameters import joint_reference_params
from pliant.stages.reference.joint_reference import JointReference
from pliant.stages.reference.path_reference import run_up_time
from pliant.stages.reference.path_spline import NO_PATH, ToolPath, path_peaks, tool_path
from pliant.stages.reference.playable_motion import (
    MotionNotLoaded,
    PlayableMotion,
    read_playable,
)
from pliant.tick import Rows

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
        path: The timed path of the tool, for the kernel.
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
        self.path = path_of(config)
        self.config = config

    def take_path(self, config: ReferenceConfig) -> None:
        """Take parameters of which only the path is new."""
        self.path = path_of(config)
        self.config = config

    def load(self, row: Rows) -> None:
        """Load the kernels of paths and of the reach, so that no tick has to wait for one."""
        pose, still = row["X_WT"][0].copy(), np.zeros(6)
        self.closest_pose(row, pose)
        points = [[time, *pose] for time in range(4)]
        path = tool_path(np.array(points, float))
        path_peaks(path)
        run_up_time(path, pose, still, still, params_row(self.config))

    def closest_pose(self, row: Rows, pose: Array) -> Array:
        """The pose nearest to a target to which the arm gets by a straight motion from a row."""
        out, q = np.empty(7), row["q_sent"][0].copy()
        arm = self.arm
        low, high = np.array(arm.q_min), np.array(arm.q_max)
        closest_pose(self._chain, q, low, high, row["X_WT_sent"][0].copy(), pose, out)
        return out

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


def path_of(config: ReferenceConfig) -> ToolPath:
    """The timed path of a configuration."""
    points = config.path.points
    return tool_path(np.array(points)) if len(points) > 1 else NO_PATH
