"""What the arm is allowed to do: the only door out."""

from pliant.safety.config import SafetyConfig
from pliant.safety.limits import Clip
from pliant.safety.stage import SafetyStage

__all__ = ["Clip", "SafetyConfig", "SafetyStage"]
