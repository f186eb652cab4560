"""The arm as seen from the hole's nominal frame H: tip, force, reference, commands."""

import numpy as np

from pliant.api.arm import Arm
from pliant.numerics.spatial import (
    Array,
    pose_error,
    pose_inverse_multiply,
    pose_multiply,
    quat_rotate,
    quat_unrotate,
)
from pliant.pose import PoseNumbers


class HoleFrame:
    """Converts what an arm measures and is told to the axes of H, which is its task frame."""

    def __init__(self, arm: Arm, X_WH: PoseNumbers) -> None:
        self._arm = arm
        self._X_WH = np.array(X_WH)
        arm.set_task_frame(X_WH)

    @property
    def tip(self) -> Array:
        """Measured pose of the tool."""
        return self._inside(self._arm.tick.X_WT)

    @property
    def reference(self) -> Array:
        """Pose of the reference."""
        return self._inside(self._arm.tick.X_WR)

    @property
    def force(self) -> Array:
        """Sensed force on the tool, N."""
        tick, force = self._arm.tick, np.empty(3)
        quat_rotate(tick.X_WT[3:], tick.w_T[:3], force)
        quat_unrotate(self._X_WH[3:], force, force)
        return force

    @property
    def torque(self) -> float:
        """Length of the sensed torque about the TCP, N·m."""
        return float(np.linalg.norm(self._arm.tick.w_T[3:]))

    def push(self, force: Array) -> None:
        """Set the force that the tool exerts, N; torques are zero."""
        self._arm.set_wrench([*-force, 0.0, 0.0, 0.0], frame="task")

    def move_to(self, pose: Array) -> None:
        """Move the reference to a pose, and wait."""
        X_WR = np.empty(7)
        pose_multiply(self._X_WH, pose, X_WR)
        self._arm.move_to(X_WR)

    def turn_to(self, orientation: Array) -> Array:
        """The turn from the reference to an orientation, as a rotation vector, rad."""
        reference, error, turn = self.reference, np.empty(6), np.empty(3)
        pose_error(reference, np.concatenate((reference[:3], orientation)), error)
        quat_rotate(reference[3:], error[3:], turn)
        return turn

    def jog(self, velocity: Array, turning: Array) -> None:
        """Move the reference with a velocity and an angular velocity."""
        twist = np.empty(6)
        quat_rotate(self._X_WH[3:], velocity, twist[:3])
        quat_rotate(self._X_WH[3:], turning, twist[3:])
        self._arm.jog(twist)

    def _inside(self, X_WT: Array) -> Array:
        out = np.empty(7)
        pose_inverse_multiply(self._X_WH, np.ascontiguousarray(X_WT), out)
        return out
