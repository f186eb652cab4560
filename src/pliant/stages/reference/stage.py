"""The reference stage: desired motion of the tool or of the joints."""

from collections.abc import Sequence

import numpy as np
import pinocchio as pin

from pliant.arms.chain import chain_row
from pliant.arms.description import ArmDescription
from pliant.errors import Refused
from pliant.numerics.kernels import Direct
from pliant.numerics.profiles import PEAK_SPEED
from pliant.params import params_row
from pliant.stages.reference.circle import circle_params
from pliant.stages.reference.config import ReferenceConfig
from pliant.stages.reference.feed_forward import inertial_and_rest
from pliant.stages.reference.joint_parameters import joints_params
from pliant.stages.reference.joint_reference import (
    joints_kernel,
    measured_reference,
    tool_of_joints,
)
from pliant.stages.reference.kinds import Takes
from pliant.stages.reference.motion_files import Motion, read_motion
from pliant.stages.reference.tool_reference import tool_kernel
from pliant.tick import Rows

# Shortest duration of the approach to the start of a motion, s.
_SHORTEST = 0.2


class ReferenceStage:
    """Moves the tool reference or the joint reference, whichever the law follows.

    Without a law the reference rests at the set points last sent, so that an activated law starts
    where the arm is. A tool reference waits for an arm that a limit holds back. When the law
    changes, the new reference continues from the old one if both are of the same kind, else from
    the set points last sent, and comes to rest. A joint reference also gives the pose of the tool.

    Attributes:
        config: The present parameters.
        tool_rows: Parameter rows of the kernel of the tool reference.
        joints_params: Parameter row of the kernels of the joint references.
        arm: The arm's parameters.
    """

    def __init__(
        self,
        config: ReferenceConfig,
        arm: ArmDescription,
        model: pin.Model,
        takes: Sequence[str] = (),
    ) -> None:
        """Make the stage.

        Args:
            config: The parameters.
            arm: The arm's parameters.
            model: Its rigid-body model, with the tool.
            takes: What each law follows, by its index: tool, joints or nothing.
        """
        self.arm = arm
        self._model = model
        self._chain = chain_row(model)
        self._takes = [Takes[name.upper()].value for name in takes]
        self._motion: Motion | None = None
        self._tool_kernel, self._joints_kernel = Direct(tool_kernel), Direct(joints_kernel)
        self._tool_of_joints = Direct(tool_of_joints)
        self.configure(config)

    def configure(self, config: ReferenceConfig) -> None:
        """Take new parameters; they act from the next tick.

        Raises:
            ConfigError: The number of values per joint is wrong, or the motion's file is invalid.
        """
        motion = self._load(config.playback.file)
        way_back = 0.0 if motion is None else self._time_between(motion.q[-1], motion.q[0], config)
        has_torque = motion is not None and bool(motion.tau.any())
        self.joints_params = joints_params(config, self.arm, way_back, has_torque)
        self.tool_rows = (params_row(config), circle_params(config))
        self._motion = motion
        self._table = np.zeros((2, 4 * self.arm.n)) if motion is None else self._tabulate(motion)
        self._times = np.array([0.0, 1.0]) if motion is None else np.ascontiguousarray(motion.time)
        self.config = config

    def update(self, prev: Rows, tick: Rows) -> None:
        """Write the reference columns of this tick."""
        takes = self._kind(tick["law"].item())
        if takes == Takes.TOOL:
            self._tool_kernel.call(prev, tick, *self.tool_rows)
        elif takes == Takes.NOTHING:
            measured_reference(prev, tick)
        else:
            before = self._kind(prev["law"].item())
            self._joints_kernel.call(
                prev, tick, self.joints_params, before, self._times, self._table
            )
            self._tool_of_joints.call(prev, tick, self._chain)

    def time_to_begin(self, q: np.ndarray) -> float:
        """Time that playback takes from a configuration to the start of the motion, s.

        Raises:
            Refused: No motion is loaded.
        """
        if self._motion is None:
            raise Refused("there is nothing to play: set reference.playback.file while no law runs")
        return self._time_between(q, self._motion.q[0], self.config)

    def _kind(self, law: int) -> int:
        """What a law follows; without a law, the tool reference is at rest."""
        return self._takes[law] if 0 <= law < len(self._takes) else Takes.TOOL.value

    def _load(self, file: str | None) -> Motion | None:
        """The motion of a file; a file that is already loaded is not read again."""
        if file is None:
            return None
        if self._motion is not None and self.config.playback.file == file:
            return self._motion
        return read_motion(file, self.arm)

    def _tabulate(self, motion: Motion) -> np.ndarray:
        """One row per time: positions, velocities, and both parts of the torque."""
        parts = inertial_and_rest(motion, self._model)
        return np.ascontiguousarray(np.hstack([motion.q, motion.qd, *parts]))

    def _time_between(self, start: np.ndarray, end: np.ndarray, config: ReferenceConfig) -> float:
        """Duration of a minimum-jerk motion from rest to rest at the configured speed."""
        speed = self.arm.qd_max * config.playback.join_speed_share
        return max(_SHORTEST, float((PEAK_SPEED * np.abs(end - start) / speed).max()))
