"""Control laws: from measured state, reference and wrench to a commanded pose or joint torques."""

from pliant.laws.cartesian_impedance import CartesianImpedance
from pliant.laws.gravity import Gravity, GravityConfig
from pliant.laws.hybrid_admittance import HybridAdmittance, HybridConfig
from pliant.laws.joint_space import InverseDynamics, InverseDynamicsSimplified, PdGravity
from pliant.laws.law_base import Law, PoseLaw, TorqueLaw
from pliant.laws.position import Position, PositionConfig
from pliant.laws.task_space_inverse_dynamics import TaskSpaceInverseDynamics

TORQUE_LAWS: tuple[type[TorqueLaw], ...] = (
    Gravity,
    InverseDynamics,
    InverseDynamicsSimplified,
    PdGravity,
    CartesianImpedance,
    TaskSpaceInverseDynamics,
)
"""Laws that need a torque arm."""

__all__ = [
    "TORQUE_LAWS",
    "CartesianImpedance",
    "Gravity",
    "GravityConfig",
    "HybridAdmittance",
    "HybridConfig",
    "InverseDynamics",
    "InverseDynamicsSimplified",
    "Law",
    "PdGravity",
    "PoseLaw",
    "Position",
    "PositionConfig",
    "TaskSpaceInverseDynamics",
    "TorqueLaw",
]
