"""The controller's states, the life cycle of laws, and what commands have asked for."""

from pliant.stages.supervisor.reason_text import read_text, write_text

__all__ = ["read_text", "write_text"]
