"""Hybrid force-position admittance control."""

from pliant.laws.hybrid_admittance.config import HybridConfig
from pliant.laws.hybrid_admittance.law import HybridAdmittance
from pliant.laws.hybrid_admittance.presets import PRESETS, preset

__all__ = ["PRESETS", "HybridAdmittance", "HybridConfig", "preset"]
