"""The sensor's door: from what a UR reports to a reading in the sensor's frame S.

`actual_TCP_force` is at the TCP in axes of the base, without the weight of the payload that the
arm was told; `ft_raw_wrench` is at the flange, with everything. Both are taken for what the
environment does to the tool, as UR says of the first. Only the push test verifies these signs.
"""

import numpy as np
import pinocchio as pin

from pliant.arms.description import ArmDescription
from pliant.arms.pinocchio import pose_to_se3
from pliant.arms.tool import Tool
from pliant.robots.ur.ur_frames import X_BW, Array, move_wrench, turn_pair, weight
from pliant.robots.ur.ur_state import RAW_WRENCH, UrState


class WrenchDoor:
    """Converts wrenches."""

    def __init__(self, arm: ArmDescription, tool: Tool, X_FT: pin.SE3, raw: bool) -> None:
        """Make the door.

        Args:
            arm: The arm's parameters.
            tool: The configured tool, with the frame S.
            X_FT: The TCP that the arm itself uses.
            raw: Whether `ft_raw_wrench` is the source.
        """
        self._model = pin.buildModelFromUrdf(str(arm.urdf))
        self._data = self._model.createData()
        self._flange = self._model.getFrameId(arm.flange)
        self._X_SF = pose_to_se3(tool.X_FS).inverse()
        self._X_FT = X_FT
        self._raw = raw

    def reading(self, state: UrState) -> Array:
        """The reading in S: load, bias and tool weight."""
        if self._raw:
            return move_wrench(self._X_SF, state.six(RAW_WRENCH))
        pin.framesForwardKinematics(self._model, self._data, state.six("actual_q"))
        R_BF = X_BW.rotation @ self._data.oMf[self._flange].rotation
        R_BT = R_BF @ self._X_FT.rotation
        w_F = move_wrench(self._X_FT, turn_pair(R_BT.T, state.six("actual_TCP_force")))
        payload = weight(float(state["payload"]), np.array(state.six("payload_cog")), R_BF)
        return move_wrench(self._X_SF, w_F + payload)
