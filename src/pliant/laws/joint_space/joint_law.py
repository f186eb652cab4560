"""Base of the laws in joint space: gains per joint, configured without a jump."""

from abc import abstractmethod
from typing import Any

import numpy as np

from pliant.laws.joint_space.gains import Gains, State
from pliant.laws.law_base import TorqueLaw
from pliant.numerics.spatial import Array


class JointLaw(TorqueLaw):
    """A law with a gain on the position error and one on the velocity error of each joint."""

    takes = "joints"
    State = State

    def parameters(self, config: Any) -> np.ndarray:
        """The row of the kernel for these parameters; gains are approached over `gain_ramp`.

        Raises:
            ConfigError: A list of gains has neither one value nor one per joint.
        """
        K, D = self._gains(config)
        rate = self._arm.description.tau_rate_max
        return Gains(K=K, D=D, gain_ramp=config.gain_ramp, tau_rate_max=rate).row()

    @abstractmethod
    def _gains(self, config: Any) -> tuple[Array, Array]:
        """Configured gains on the position and on the velocity error, per joint."""
