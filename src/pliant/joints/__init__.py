"""Each joint does with its set point what its mode says."""

from pliant.joints.config import JointsConfig
from pliant.joints.limits import JointLimits, joint_limits
from pliant.joints.modes import Interaction, JointFault, JointMode, ReportedMode
from pliant.joints.stage import JointsStage

__all__ = [
    "Interaction",
    "JointFault",
    "JointLimits",
    "JointMode",
    "JointsConfig",
    "JointsStage",
    "ReportedMode",
    "joint_limits",
]
