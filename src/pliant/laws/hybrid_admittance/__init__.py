"""Hybrid force-position admittance control."""

from pliant.laws.hybrid_admittance.config import HybridConfig
from pliant.laws.hybrid_admittance.law import HybridAdmittance
from pliant.laws.hybrid_admittance.presets import PRESET_DOCS, PRESETS, preset

__all__ = ["PRESETS", "PRESET_DOCS", "HybridAdmittance", "HybridConfig", "preset"]
