"""Arms: their figures, their tools, and the rigid-body model made of both."""

from pliant.arms.description import ArmDescription, arm_names, load_arm
from pliant.arms.tool import Tool

__all__ = ["ArmDescription", "Tool", "arm_names", "load_arm"]
