"""Task-space inverse dynamics: the tool follows its reference within joint limits, by a QP."""

from pliant.laws.task_space_inverse_dynamics.config import TaskSpaceConfig
from pliant.laws.task_space_inverse_dynamics.law import TaskSpaceInverseDynamics

__all__ = ["TaskSpaceConfig", "TaskSpaceInverseDynamics"]
