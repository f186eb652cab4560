"""What the controller knows of its payload, and the force that it computes from its sensor."""

import numpy as np
import pinocchio as pin

from pliant.arms.pinocchio import pose_to_se3
from pliant.arms.tool import Tool
from pliant.robots.ur.ur_frames import Array, move_wrench, turn_pair, weight


class UrPayload:
    """Payload and wrist sensor.

    The wrench at the TCP is what the environment does to the tool, in axes of the base: the reading
    without the payload's weight and without what zero_ftsensor found. That sign is assumed; UR
    says that it is the external force that acts on the TCP.

    Attributes:
        mass: Mass, kg.
        cog: Centre of gravity in the flange, m.
        inertia: Six moments and products of inertia, kg·m².
        raw_F: The sensor's reading in the flange: load, bias and weight.
        wrench_B: The wrench at the TCP.
    """

    def __init__(self, tool: Tool) -> None:
        self.mass = tool.mass
        self.cog = np.array(tool.com_F)
        self.inertia = np.array([*tool.inertia, 0.0, 0.0, 0.0])
        self.raw_F = np.zeros(6)
        self.wrench_B = np.zeros(6)
        self._X_FS = pose_to_se3(tool.X_FS)
        self._zero_F = np.zeros(6)

    def measure(self, w_S: Array, X_BF: pin.SE3, X_FT: pin.SE3) -> None:
        """Take a reading of the simulated sensor."""
        self.raw_F = move_wrench(self._X_FS, w_S)
        load_F = self.raw_F - self._weight(X_BF) - self._zero_F
        at_tcp = move_wrench(X_FT.inverse(), load_F)
        R_BT = X_BF.rotation @ X_FT.rotation
        self.wrench_B = turn_pair(R_BT, at_tcp)

    def zero(self, X_BF: pin.SE3) -> None:
        """zero_ftsensor: from now on the present reading counts as nothing."""
        self._zero_F = self.raw_F - self._weight(X_BF)

    def _weight(self, X_BF: pin.SE3) -> Array:
        return weight(self.mass, self.cog, X_BF.rotation)
