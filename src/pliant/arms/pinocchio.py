"""The rigid-body model of an arm with its tool, for Pinocchio."""

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from pliant.arms.description import ArmDescription
from pliant.arms.tool import Tool
from pliant.errors import ConfigError
from pliant.pose import PoseNumbers

Array = NDArray[np.float64]

TCP_FRAME = "T"
SENSOR_FRAME = "S"

_REACH_TOLERANCE = 1e-11
_REACH_DAMPING = 1e-9
_REACH_STEPS = 200
_REACH_STEP_MAX = 0.2


def build_pinocchio(description: ArmDescription, tool: Tool, mass_scale: float = 1.0) -> pin.Model:
    """The arm with rotor inertias and the tool's mass, and with frames T and S added.

    Args:
        description: The arm's parameters.
        tool: The mounted tool.
        mass_scale: Factor on the masses and inertias of the links, not of the tool.
    """
    model = pin.buildModelFromUrdf(str(description.urdf))
    for i, link in enumerate(model.inertias):
        model.inertias[i] = pin.Inertia(
            mass_scale * link.mass, link.lever, mass_scale * link.inertia
        )
    model.armature = np.array(description.armature)
    flange = model.frames[model.getFrameId(description.flange)]
    inertia = pin.Inertia(tool.mass, np.array(tool.com_F), np.diag(tool.inertia))
    model.appendBodyToJoint(flange.parentJoint, inertia, flange.placement)
    for name, X_FX in ((TCP_FRAME, tool.X_FT), (SENSOR_FRAME, tool.X_FS)):
        placement = flange.placement * pose_to_se3(X_FX)
        model.addFrame(pin.Frame(name, flange.parentJoint, placement, pin.FrameType.OP_FRAME))
    return model


def pose_to_se3(pose: PoseNumbers | Array) -> pin.SE3:
    """Convert a pose (x, y, z, qw, qx, qy, qz) to a Pinocchio SE3."""
    x, y, z, qw, qx, qy, qz = (float(c) for c in pose)
    return pin.SE3(pin.Quaternion(qw, qx, qy, qz).matrix(), np.array([x, y, z]))


def reach(model: pin.Model, X_WT: PoseNumbers | Array, q_near: Array) -> Array:
    """A configuration with the tool at a pose, by Newton steps from a nearby configuration.

    Raises:
        ConfigError: The pose was not reached within the joint limits.
    """
    data = model.createData()
    frame = model.getFrameId(TCP_FRAME)
    target = pose_to_se3(X_WT)
    q = np.array(q_near, dtype=np.float64)
    for _ in range(_REACH_STEPS):
        pin.framesForwardKinematics(model, data, q)
        error = pin.log6(data.oMf[frame].actInv(target)).vector
        if np.linalg.norm(error) < _REACH_TOLERANCE:
            return _within_limits(model, q)
        J_T = pin.computeFrameJacobian(model, data, q, frame, pin.LOCAL)
        step = J_T.T @ np.linalg.solve(J_T @ J_T.T + _REACH_DAMPING * np.eye(6), error)
        q += step * min(1.0, _REACH_STEP_MAX / np.abs(step).max())
    raise ConfigError(f"the arm does not reach the tool pose {np.round(X_WT, 4).tolist()}")


def _within_limits(model: pin.Model, q: Array) -> Array:
    if (q < model.lowerPositionLimit).any() or (q > model.upperPositionLimit).any():
        raise ConfigError(f"the tool pose needs joints beyond their limits: {q.round(3).tolist()}")
    return q
