"""Cartesian impedance: the tool on a spring, by joint torques."""

from pliant.laws.cartesian_impedance.config import CartesianImpedanceConfig
from pliant.laws.cartesian_impedance.law import CartesianImpedance

__all__ = ["CartesianImpedance", "CartesianImpedanceConfig"]
