"""Control laws: what the arm should do about where it is, where it should be, and what it feels."""

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
"""The laws that only a torque arm can run."""

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
