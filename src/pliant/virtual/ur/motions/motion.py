"""The base class of motion commands."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from pliant.robots.ur.ur_frames import Array
from pliant.virtual.ur.ur_kinematics import UrKinematics


@dataclass(frozen=True, kw_only=True, eq=False)
class Target:
    """Where the joints should be.

    Attributes:
        q: Positions, rad.
        qd: Velocities, rad/s.
    """

    q: Array
    qd: Array


class Motion(ABC):
    """A command that moves the arm for some time.

    Attributes:
        done: Whether it has ended.
    """

    done = False

    @abstractmethod
    def step(self, now: Target, dt: float, kinematics: UrKinematics) -> Target:
        """The target after a period.

        Args:
            now: The present target.
            dt: The period, s, shortened by speed scaling.
            kinematics: Those of the arm.
        """


class Hold(Motion):
    """Stays where the target is."""

    done = True

    def step(self, now: Target, dt: float, kinematics: UrKinematics) -> Target:
        """The same target, at rest."""
        return now if not now.qd.any() else Target(q=now.q, qd=np.zeros(now.q.size))
