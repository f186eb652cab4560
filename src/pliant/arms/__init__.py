"""Arms: their parameters, their tools, and rigid-body models."""

from pliant.arms.description import ArmDescription, arm_names, load_arm
from pliant.arms.tool import Tool

__all__ = ["ArmDescription", "Tool", "arm_names", "load_arm"]
