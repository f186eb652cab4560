"""The controller's states, the life cycle of laws, and what commands have asked for."""

from pliant.stages.supervisor.reason_text import read_text, write_text
from pliant.stages.supervisor.states import State

__all__ = ["State", "read_text", "write_text"]
