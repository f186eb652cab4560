"""stopj and stopl: brake to rest."""

import numpy as np

from pliant.virtual.ur.motions.motion import Motion, Target
from pliant.virtual.ur.ur_kinematics import UrKinematics


class StopJoints(Motion):
    """stopj: all joints brake together, the fastest with the given deceleration."""

    def __init__(self, deceleration: float) -> None:
        self._deceleration = max(deceleration, 0.01)

    def step(self, now: Target, dt: float, kinematics: UrKinematics) -> Target:
        """Scale the velocities down."""
        fastest = float(np.abs(now.qd).max())
        return _scaled(self, now, fastest, self._deceleration, dt)


class StopTool(Motion):
    """stopl: the tool brakes on its way with the given deceleration."""

    def __init__(self, deceleration: float) -> None:
        self._deceleration = max(deceleration, 0.01)

    def step(self, now: Target, dt: float, kinematics: UrKinematics) -> Target:
        """Scale the velocities down."""
        twist = kinematics.jacobian(now.q) @ now.qd
        speed = max(float(np.linalg.norm(twist[:3])), float(np.linalg.norm(twist[3:])))
        return _scaled(self, now, speed, self._deceleration, dt)


def _scaled(motion: Motion, now: Target, speed: float, deceleration: float, dt: float) -> Target:
    left = speed - deceleration * dt
    if left <= 0.0 or speed <= 0.0:
        motion.done = True
        return Target(q=now.q, qd=np.zeros_like(now.qd))
    qd = now.qd * (left / speed)
    return Target(q=now.q + 0.5 * (now.qd + qd) * dt, qd=qd)
