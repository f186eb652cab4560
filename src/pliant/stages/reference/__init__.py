"""References: desired motion of the tool or of the joints."""

from pliant.stages.reference.config import ReferenceConfig
from pliant.stages.reference.kinds import RefKind
from pliant.stages.reference.reference_parameters import ReferenceParameters

__all__ = ["RefKind", "ReferenceConfig", "ReferenceParameters"]
