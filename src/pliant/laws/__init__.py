"""Control laws: from measured state, reference and wrench to a commanded pose or joint torques."""

from typing import Annotated

from pliant.laws.cartesian_impedance import CartesianImpedance, CartesianImpedanceConfig
from pliant.laws.gravity import Gravity, GravityConfig
from pliant.laws.hybrid_admittance import HybridAdmittance, HybridConfig
from pliant.laws.hybrid_force import HybridForce, HybridForceConfig
from pliant.laws.joint_space import (
    InverseDynamics,
    InverseDynamicsConfig,
    InverseDynamicsSimplified,
    InverseDynamicsSimplifiedConfig,
    PdGravity,
    PdGravityConfig,
)
from pliant.laws.law_base import Law, PoseLaw, TorqueLaw
from pliant.laws.position import Position, PositionConfig
from pliant.laws.task_space_inverse_dynamics import TaskSpaceConfig, TaskSpaceInverseDynamics
from pliant.params import Params


class LawsConfig(Params):
    """Parameters of the laws; the field of a law is its entry, in the order of the index."""

    hybrid_admittance: Annotated[HybridConfig, HybridAdmittance] = HybridConfig()
    position: Annotated[PositionConfig, Position] = PositionConfig()
    gravity: Annotated[GravityConfig, Gravity] = GravityConfig()
    inverse_dynamics: Annotated[InverseDynamicsConfig, InverseDynamics] = InverseDynamicsConfig()
    inverse_dynamics_simplified: Annotated[
        InverseDynamicsSimplifiedConfig, InverseDynamicsSimplified
    ] = InverseDynamicsSimplifiedConfig()
    pd_gravity: Annotated[PdGravityConfig, PdGravity] = PdGravityConfig()
    cartesian_impedance: Annotated[CartesianImpedanceConfig, CartesianImpedance] = (
        CartesianImpedanceConfig()
    )
    task_space_inverse_dynamics: Annotated[TaskSpaceConfig, TaskSpaceInverseDynamics] = (
        TaskSpaceConfig()
    )
    hybrid_force: Annotated[HybridForceConfig, HybridForce] = HybridForceConfig()


LAWS: tuple[type[PoseLaw | TorqueLaw], ...] = tuple(
    law for field in LawsConfig.model_fields.values() for law in field.metadata
)
"""Pliant's own laws, by their index."""

TORQUE_LAWS = tuple(law for law in LAWS if issubclass(law, TorqueLaw))
"""Those that need a torque arm."""

__all__ = [
    "LAWS",
    "TORQUE_LAWS",
    "CartesianImpedance",
    "Gravity",
    "GravityConfig",
    "HybridAdmittance",
    "HybridConfig",
    "HybridForce",
    "InverseDynamics",
    "InverseDynamicsSimplified",
    "Law",
    "LawsConfig",
    "PdGravity",
    "PoseLaw",
    "Position",
    "PositionConfig",
    "TaskSpaceInverseDynamics",
    "TorqueLaw",
]
