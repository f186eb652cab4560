"""What the arm is allowed to do: the only door out."""

from pliant.stages.safety.config import SafetyConfig
from pliant.stages.safety.safety_limits import Clip
from pliant.stages.safety.stage import SafetyStage

__all__ = ["Clip", "SafetyConfig", "SafetyStage"]
