"""Decides on commands: what each asks of the next tick, or why it is refused."""

from pliant.commands.handlers.supervisor import Supervisor

__all__ = ["Supervisor"]
