"""Hybrid force and impedance control by joint torques."""

from pliant.laws.hybrid_force.config import HybridForceConfig
from pliant.laws.hybrid_force.law import HybridForce

__all__ = ["HybridForce", "HybridForceConfig"]
