"""Safety: limits every set point before it is sent."""

from pliant.stages.safety.config import SafetyConfig
from pliant.stages.safety.safety_limits import Clip

__all__ = ["Clip", "SafetyConfig"]
