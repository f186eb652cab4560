"""Where the arm should be."""

from pliant.references.tool import ReferenceConfig, ReferenceStage, RefKind

__all__ = ["RefKind", "ReferenceConfig", "ReferenceStage"]
