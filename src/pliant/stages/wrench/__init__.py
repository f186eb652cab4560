"""The wrench on the tool: from the raw sensor reading to a filtered, checked wrench."""

from pliant.stages.wrench.config import WrenchConfig
from pliant.stages.wrench.stage import AT_REST, ZERO_ABORTED, ZERO_LOADED

__all__ = ["AT_REST", "ZERO_ABORTED", "ZERO_LOADED", "WrenchConfig"]
