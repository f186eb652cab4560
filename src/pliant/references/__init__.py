"""Where the arm should be."""

from pliant.references.config import ReferenceConfig
from pliant.references.kinds import OF_THE_JOINTS, OF_THE_TOOL, RefKind
from pliant.references.stage import ReferenceStage

__all__ = ["OF_THE_JOINTS", "OF_THE_TOOL", "RefKind", "ReferenceConfig", "ReferenceStage"]
