"""References: desired motion of the tool or of the joints."""

from pliant.stages.reference.config import ReferenceConfig
from pliant.stages.reference.kinds import OF_THE_JOINTS, OF_THE_TOOL, RefKind
from pliant.stages.reference.stage import ReferenceStage

__all__ = ["OF_THE_JOINTS", "OF_THE_TOOL", "RefKind", "ReferenceConfig", "ReferenceStage"]
