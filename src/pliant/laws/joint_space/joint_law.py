"""Base of the laws in joint space: gains per joint, configured without a jump."""

from abc import abstractmethod
from typing import Any

from pliant.arms.arm_model import ArmModel
from pliant.laws.joint_space.gains import Gains, State
from pliant.laws.law_base import TorqueLaw
from pliant.numerics.spatial import Array


class JointLaw(TorqueLaw):
    """A law with a gain on the position error and one on the velocity error of each joint."""

    takes = "joints"
    State = State

    def __init__(self, config: Any, arm: ArmModel) -> None:
        """Make the law for an arm.

        Raises:
            ConfigError: A list of gains has neither one value nor one per joint.
        """
        self._arm = arm
        self.configure(config)

    def configure(self, config: Any) -> None:
        """Take new gains; they are approached over `gain_ramp`."""
        K, D = self._gains(config)
        rate = self._arm.description.tau_rate_max
        self._params = Gains(K=K, D=D, gain_ramp=config.gain_ramp, tau_rate_max=rate).row()
        self.config = config

    @abstractmethod
    def _gains(self, config: Any) -> tuple[Array, Array]:
        """Configured gains on the position and on the velocity error, per joint."""
