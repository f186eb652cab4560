"""Each joint does with its set point what its mode says."""

from pliant.joints.stage import JointMode, JointsStage

__all__ = ["JointMode", "JointsStage"]
