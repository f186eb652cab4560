"""Base of the laws with a spring and a damper in each joint."""

from pliant.laws.joint_space.gains import refuse_unstable
from pliant.laws.joint_space.joint_law import JointLaw
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


class StiffJoints(JointLaw):
    """A law with a spring and a damper in each joint."""

    def check(self, config: Params, dt: float) -> None:
        """Raise `ConfigError` if the gains cannot be stable at this period."""
        assert isinstance(config, StiffJointsConfig)
        inertia = self._arm.smallest_inertia
        refuse_unstable(*self._gains(config), inertia, dt, ("stiffness", "damping"))

    def _gains(self, config: StiffJointsConfig) -> tuple[Array, Array]:
        path = f"laws.{self.name}"
        return (
            per_joint(config.stiffness, self._arm.n, f"{path}.stiffness"),
            per_joint(config.damping, self._arm.n, f"{path}.damping"),
        )
