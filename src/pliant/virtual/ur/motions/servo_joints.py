"""servoj: follow set points through a lag.

How the lag of a real arm follows from lookahead time and gain is not published. Assumed: a dead
time and a first-order lag, together lookahead + 1/gain + 0.67 ms. With a lookahead of 30 ms and a
gain of 300 these are the 34 ms measured on a UR5e.
"""

from math import exp

import numpy as np

from pliant.robots.ur.ur_frames import Array
from pliant.virtual.ur.motions.motion import Motion, Target
from pliant.virtual.ur.ur_kinematics import UrKinematics

DEAD_TIME = 0.008
"""From a target of the controller to the motion of the joints, s; the same for all motions.

A client's command that comes in a period counts from the beginning of the next one.
"""

_REST = 0.67e-3
_SHORTEST = 0.001


def time_constant(lookahead: float, gain: float) -> float:
    """The first-order part of the lag, s."""
    return max(_SHORTEST, lookahead + 1.0 / gain + _REST - DEAD_TIME)


class ServoJoints(Motion):
    """servoj: the joints follow the newest set point, between two of them in a straight line."""

    def __init__(self, q: Array, lookahead: float, gain: float) -> None:
        self._before: Array | None = None
        self.aim(q, lookahead, gain)

    def aim(self, q: Array, lookahead: float, gain: float) -> None:
        """Take a new set point."""
        self._aim = np.array(q)
        self._lag = time_constant(lookahead, gain)

    def step(self, now: Target, dt: float, kinematics: UrKinematics) -> Target:
        """Solve the lag exactly for a set point that moves linearly."""
        if dt <= 0.0:
            return Target(q=now.q, qd=np.zeros_like(now.q))
        start = now.q if self._before is None else self._before
        self._before = self._aim
        behind = (self._aim - start) * (self._lag / dt)
        q = self._aim - behind + (now.q - start + behind) * exp(-dt / self._lag)
        return Target(q=q, qd=(q - now.q) / dt)
