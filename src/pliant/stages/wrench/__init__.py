"""What the environment does to the tool: from the raw sensor to a wrench one can act on."""

from pliant.stages.wrench.config import WrenchConfig
from pliant.stages.wrench.stage import AT_REST, ZERO_BROKEN_OFF, WrenchStage

__all__ = ["AT_REST", "ZERO_BROKEN_OFF", "WrenchConfig", "WrenchStage"]
