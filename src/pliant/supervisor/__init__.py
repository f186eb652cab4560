"""Who is in charge: controller states, the life cycle of laws, and what commands may do."""

from pliant.supervisor.reply import Reply
from pliant.supervisor.states import State
from pliant.supervisor.supervisor import _LIVE as LIVE_SECTIONS
from pliant.supervisor.supervisor import Supervisor
from pliant.supervisor.text import read_text, write_text

__all__ = ["LIVE_SECTIONS", "Reply", "State", "Supervisor", "read_text", "write_text"]
