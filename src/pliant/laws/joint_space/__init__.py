"""Laws that make the joints follow a joint reference."""

from pliant.laws.joint_space.inverse_dynamics import InverseDynamics, InverseDynamicsConfig
from pliant.laws.joint_space.inverse_dynamics_simplified import (
    InverseDynamicsSimplified,
    InverseDynamicsSimplifiedConfig,
)
from pliant.laws.joint_space.pd_gravity import PdGravity, PdGravityConfig

__all__ = [
    "InverseDynamics",
    "InverseDynamicsConfig",
    "InverseDynamicsSimplified",
    "InverseDynamicsSimplifiedConfig",
    "PdGravity",
    "PdGravityConfig",
]
