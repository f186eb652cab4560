"""Who is in charge: controller states, the life cycle of laws, and what commands may do."""

from pliant.supervisor.states import State
from pliant.supervisor.supervisor import Reply, Supervisor

__all__ = ["Reply", "State", "Supervisor"]
