"""The supervisor: gives each command to its handler, which decides on it."""

from collections.abc import Callable
from typing import Any

from pliant.commands import COMMANDS, Command
from pliant.commands.handlers import parameter_handlers, state_handlers, tool_handlers
from pliant.commands.handlers.context import HandlerContext
from pliant.commands.reply import Reply
from pliant.errors import Refused
from pliant.tick import Rows

Handler = Callable[[HandlerContext, Any, Rows], Reply]

_DECLARED: dict[type[Command], Handler] = {
    **tool_handlers.HANDLERS,
    **state_handlers.HANDLERS,
    **parameter_handlers.HANDLERS,
}

_HANDLERS: dict[type[Command], Handler] = {
    kind: _DECLARED[base] for kind in COMMANDS for base in kind.__mro__ if base in _DECLARED
}
"""The handler of each command that acts on the arm."""


class Supervisor(HandlerContext):
    """Decides on commands between ticks; what they ask for are wishes for the next tick.

    A decision depends on the last tick and on the commands accepted since, never on the wall
    clock, so it is the same live and recomputed. A refused command raises and changes nothing.
    """

    def take(self, command: Command, row: Rows) -> Reply:
        """Decide on a command, given the last tick.

        Raises:
            Refused: It cannot be done now; the message says why and what can be done instead.
            ConfigError: A value in it can never work.
            UnknownNameError: There is no such law, preset or parameter.
        """
        handler = _HANDLERS.get(type(command))
        if handler is None:
            raise Refused(f"{type(command).__name__} does not act on the arm")
        return handler(self, command, row)
