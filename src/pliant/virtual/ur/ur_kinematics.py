"""Kinematics of the virtual arm in its own base frame, for any TCP."""

import numpy as np
import pinocchio as pin

from pliant.arms.description import ArmDescription
from pliant.robots.ur.ur_frames import X_BW, Array
from pliant.virtual.ur.program_error import ProgramError

_TOLERANCE = 1e-10
_DAMPING = 1e-9
_LARGEST_STEP = 0.3
_STEPS = 100


class UrKinematics:
    """Forward and inverse kinematics.

    Attributes:
        X_FT: Pose of the TCP in the flange.
    """

    def __init__(self, arm: ArmDescription, X_FT: pin.SE3) -> None:
        self._model = pin.buildModelFromUrdf(str(arm.urdf))
        self._data = self._model.createData()
        self._flange = self._model.getFrameId(arm.flange)
        self._q_min, self._q_max = arm.q_min, arm.q_max
        self.X_FT = X_FT

    def flange(self, q: Array) -> pin.SE3:
        """Pose of the flange in the base."""
        pin.framesForwardKinematics(self._model, self._data, np.asarray(q))
        return X_BW * self._data.oMf[self._flange]

    def tool(self, q: Array, X_FT: pin.SE3 | None = None) -> pin.SE3:
        """Pose of the TCP in the base."""
        return self.flange(q) * (self.X_FT if X_FT is None else X_FT)

    def jacobian(self, q: Array) -> Array:
        """Jacobian of the TCP, in axes of the base."""
        J_W = pin.computeFrameJacobian(
            self._model, self._data, np.asarray(q), self._flange, pin.LOCAL_WORLD_ALIGNED
        )
        R_WF = self._data.oMf[self._flange].rotation
        lever = R_WF @ self.X_FT.translation
        J_W[:3] -= pin.skew(lever) @ J_W[3:]
        R = X_BW.rotation
        return np.vstack([R @ J_W[:3], R @ J_W[3:]])

    def joint_velocity(self, q: Array, twist_B: Array) -> Array:
        """Joint velocities for a twist of the TCP in axes of the base, damped at singularities."""
        J = self.jacobian(q)
        return J.T @ np.linalg.solve(J @ J.T + 1e-6 * np.eye(6), twist_B)

    def inverse(self, X_BT: pin.SE3, q_near: Array, X_FT: pin.SE3 | None = None) -> Array:
        """Joint positions with the TCP at a pose, by Newton steps from nearby ones.

        Raises:
            ProgramError: The arm does not reach it within the limits of its joints.
        """
        target = X_BW * X_BT * (self.X_FT if X_FT is None else X_FT).inverse()
        q = np.array(q_near, dtype=np.float64)
        for _ in range(_STEPS):
            pin.framesForwardKinematics(self._model, self._data, q)
            error = pin.log6(self._data.oMf[self._flange].actInv(target)).vector
            if np.abs(error).max() < _TOLERANCE:
                return self._checked(q)
            J = pin.computeFrameJacobian(self._model, self._data, q, self._flange, pin.LOCAL)
            step = J.T @ np.linalg.solve(J @ J.T + _DAMPING * np.eye(6), error)
            q += step * min(1.0, _LARGEST_STEP / np.abs(step).max())
        raise ProgramError("getInverse: unable to find an inverse kinematics solution")

    def gravity(self, q: Array) -> Array:
        """Torques that hold the links, without a payload, N·m."""
        return pin.computeGeneralizedGravity(self._model, self._data, np.asarray(q))

    def _checked(self, q: Array) -> Array:
        if (q < self._q_min).any() or (q > self._q_max).any():
            raise ProgramError("getInverse: the solution is beyond the limits of a joint")
        return q
