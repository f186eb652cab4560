"""force_mode: the tool yields along the selected axes until it presses as asked.

Assumed, as UR publishes no equation: along a compliant axis the speed of the tool is proportional
to the missing force, v = g·(wrench + w), limited to the given speed; w is what the environment does
to the tool, low-pass filtered. The other axes follow the motion that runs meanwhile.
"""

from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from pliant.robots.ur.ur_frames import Array, turn_pair

FILTER = 0.12
"""Share of a new force in the filtered one, in a period of 2 ms: a cut-off of about 10 Hz."""

_GAIN = np.array([2e-3] * 3 + [0.1] * 3)
"""Speed per missing force, m/s/N and rad/s/(N·m), at a gain scaling of 1."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ForceMode:
    """One call of force_mode.

    Attributes:
        X_BC: The task frame.
        compliant: 1 for each axis of it that yields.
        wrench: What the robot shall do to the environment, N and N·m, in the task frame.
        limits: Largest speed along each compliant axis, m/s and rad/s.
    """

    X_BC: pin.SE3
    compliant: Array
    wrench: Array
    limits: Array

    def twist(self, nominal_B: Array, w_B: Array, scaling: float) -> Array:
        """The tool's twist in axes of the base.

        Args:
            nominal_B: The twist of the motion that runs meanwhile.
            w_B: What the environment does to the tool at the TCP, filtered, in axes of the base.
            scaling: Gain scaling times one minus the damping.
        """
        R_CB = self.X_BC.rotation.T
        missing = self.wrench + turn_pair(R_CB, w_B)
        yielding = np.clip(scaling * _GAIN * missing, -self.limits, self.limits)
        nominal = turn_pair(R_CB, nominal_B)
        return turn_pair(R_CB.T, np.where(self.compliant > 0, yielding, nominal))
