"""speedj and speedl: reach a velocity and keep it."""

import numpy as np

from pliant.robots.ur.ur_frames import Array
from pliant.virtual.ur.motions.motion import Motion, Target
from pliant.virtual.ur.ur_kinematics import UrKinematics


class SpeedJoints(Motion):
    """speedj: joint velocities, reached together with the acceleration of the leading joint."""

    def __init__(self, qd: Array, acceleration: float) -> None:
        self.qd = np.array(qd)
        self.acceleration = acceleration

    def step(self, now: Target, dt: float, kinematics: UrKinematics) -> Target:
        """Accelerate towards the velocity."""
        qd = now.qd + _towards(self.qd - now.qd, self.acceleration * dt)
        return Target(q=now.q + 0.5 * (now.qd + qd) * dt, qd=qd)


class SpeedTool(Motion):
    """speedl: a twist of the TCP in axes of the base, reached with a tool acceleration."""

    def __init__(self, twist_B: Array, acceleration: float) -> None:
        self.twist_B = np.array(twist_B)
        self.acceleration = acceleration

    def step(self, now: Target, dt: float, kinematics: UrKinematics) -> Target:
        """Accelerate towards the twist."""
        before = kinematics.jacobian(now.q) @ now.qd
        twist = before + _towards(self.twist_B - before, self.acceleration * dt)
        qd = kinematics.joint_velocity(now.q + 0.5 * now.qd * dt, twist)
        return Target(q=now.q + 0.5 * (now.qd + qd) * dt, qd=qd)


def _towards(change: Array, most: float) -> Array:
    """A change of velocity, its largest part limited."""
    largest = float(np.abs(change).max())
    return change if largest <= most else change * (most / largest)
