"""The tool along its reference within the joints' limits, by a quadratic program."""

from pliant.laws.task_space_inverse_dynamics.config import TaskSpaceConfig
from pliant.laws.task_space_inverse_dynamics.law import TaskSpaceInverseDynamics

__all__ = ["TaskSpaceConfig", "TaskSpaceInverseDynamics"]
