"""Control laws: what the arm should do about where it is, where it should be, and what it feels."""

from pliant.laws.base import Law, PoseLaw, TorqueLaw
from pliant.laws.gravity import Gravity, GravityConfig
from pliant.laws.hybrid_admittance import HybridAdmittance, HybridConfig
from pliant.laws.position import Position, PositionConfig

TORQUE_LAWS: tuple[type[TorqueLaw], ...] = (Gravity,)
"""The laws that only a torque arm can run."""

__all__ = [
    "TORQUE_LAWS",
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
