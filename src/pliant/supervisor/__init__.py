"""Who is in charge: controller states, the life cycle of laws, and what commands may do."""

from pliant.supervisor.live import live_paths
from pliant.supervisor.reply import Reply
from pliant.supervisor.states import State
from pliant.supervisor.supervisor import Supervisor
from pliant.supervisor.text import read_text, write_text

__all__ = ["Reply", "State", "Supervisor", "live_paths", "read_text", "write_text"]
