"""What the laws with springs and dampers in the joints share."""

from pliant.arms.arm_model import ArmModel
from pliant.laws.joint_space.gains import State, gains_row, refuse_unstable
from pliant.laws.law_base import TorqueLaw
from pliant.numerics.spatial import Array
from pliant.params import NonNegative, Params, PerJointNonNegative, param, per_joint


class StiffJointsConfig(Params):
    """Springs and dampers of the joints; one value, or one per joint.

    The default is for seven joints like the Panda's, and critically damped or more.
    """

    stiffness: PerJointNonNegative = param(
        (600.0, 600.0, 600.0, 600.0, 250.0, 150.0, 50.0), "N·m/rad", "kp."
    )
    damping: PerJointNonNegative = param(
        (50.0, 50.0, 40.0, 40.0, 8.0, 5.0, 1.5), "N·m·s/rad", "kd."
    )
    gain_ramp: NonNegative = param(0.2, "s", "How long a change of gains takes.")


class StiffJoints(TorqueLaw):
    """A law with a spring and a damper in each joint."""

    takes = "joints"
    State = State

    def __init__(self, config: StiffJointsConfig, arm: ArmModel) -> None:
        """Make the law for an arm.

        Raises:
            ConfigError: A list of gains has not one value per joint.
        """
        self._n = arm.n
        self._inertia = arm.smallest_inertia
        self.configure(config)

    def check(self, config: Params, dt: float) -> None:
        """Raise `ConfigError` if the gains cannot be stable at this period."""
        assert isinstance(config, StiffJointsConfig)
        refuse_unstable(*self._gains(config), self._inertia, dt, ("stiffness", "damping"))

    def configure(self, config: StiffJointsConfig) -> None:
        """Take new gains; they are moved to over `gain_ramp`."""
        self._params = gains_row(*self._gains(config), config.gain_ramp)
        self.config = config

    def _gains(self, config: StiffJointsConfig) -> tuple[Array, Array]:
        path = f"laws.{self.name}"
        return (
            per_joint(config.stiffness, self._n, f"{path}.stiffness"),
            per_joint(config.damping, self._n, f"{path}.damping"),
        )
