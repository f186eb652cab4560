"""The joint board: each joint follows its set point according to its mode."""

from pliant.stages.joints.config import JointsConfig
from pliant.stages.joints.joint_limits import JointLimits, joint_limits
from pliant.stages.joints.joint_modes import Interaction, JointFault, JointMode, ReportedMode

__all__ = [
    "Interaction",
    "JointFault",
    "JointLimits",
    "JointMode",
    "JointsConfig",
    "ReportedMode",
    "joint_limits",
]
