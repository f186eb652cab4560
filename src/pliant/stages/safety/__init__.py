"""Safety: limits every set point before it is sent."""

from pliant.stages.safety.config import SafetyConfig
from pliant.stages.safety.safety_limits import Clip
from pliant.stages.safety.stage import SafetyStage

__all__ = ["Clip", "SafetyConfig", "SafetyStage"]
