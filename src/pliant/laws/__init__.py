"""Control laws: what the arm should do about where it is, where it should be, and what it feels."""

from pliant.laws.base import Law, PoseLaw, TorqueLaw
from pliant.laws.gravity import Gravity, GravityConfig
from pliant.laws.hybrid_admittance import HybridAdmittance, HybridConfig
from pliant.laws.position import Position, PositionConfig

__all__ = [
    "Gravity",
    "GravityConfig",
    "HybridAdmittance",
    "HybridConfig",
    "Law",
    "PoseLaw",
    "Position",
    "PositionConfig",
    "TorqueLaw",
]
