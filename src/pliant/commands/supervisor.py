"""The supervisor: gives each command to its handler, which decides on it."""

from collections.abc import Callable
from typing import Any

import numpy as np

from pliant.commands import COMMANDS, Command, Until
from pliant.commands.handlers import (
    parameter_handlers,
    reaction_handlers,
    state_handlers,
    tool_handlers,
)
from pliant.commands.handlers.context import HandlerContext
from pliant.commands.handlers.moved_poses import after_switch
from pliant.commands.reply import Reply
from pliant.commands.telemetry_line import telemetry_line
from pliant.errors import PliantError, Refused, refusing_errors
from pliant.pose import moved
from pliant.stages.reference.curves import go_on
from pliant.stages.reference.playable_motion import MotionNotLoaded, PlayableMotion
from pliant.tick import Rows

Handler = Callable[[HandlerContext, Any, Rows], Reply]

_DECLARED: dict[type[Command], Handler] = {
    **tool_handlers.HANDLERS,
    **state_handlers.HANDLERS,
    **parameter_handlers.HANDLERS,
    **reaction_handlers.HANDLERS,
    Until: reaction_handlers.until(lambda *given: _handler_of(given[1])(*given)),
}

_HANDLERS: dict[type[Command], Handler] = {
    kind: _DECLARED[base] for kind in COMMANDS for base in kind.__mro__ if base in _DECLARED
}
"""The handler of each command that acts on the arm."""


def _handler_of(command: Command) -> Handler:
    handler = _HANDLERS.get(type(command))
    if handler is None:
        raise Refused(f"{type(command).__name__} does not act on the arm")
    return handler


class Supervisor(HandlerContext):
    """Decides on commands between ticks; what they ask for are wishes for the next tick.

    A decision depends on the last tick and on the commands accepted since, never on the wall
    clock, so it is the same live and recomputed. A refused command raises and changes nothing,
    whatever its handler raised. No file is read here: a motion is read elsewhere and handed over.
    """

    def load(self, row: Rows) -> None:
        """Load the kernels that handlers call, so that no tick has to wait for one."""
        pose, step = row["X_WT"][0], np.zeros(6)
        for frame in ("tool", "world"):
            moved(pose, step, frame)
        after_switch(row, row)
        go_on(0.0, 0.0, 0.0, 1.0, 1.0, 0.5)
        self.reference.load(row)
        telemetry_line(row)

    def take(self, command: Command, row: Rows, motion: PlayableMotion | None = None) -> Reply:
        """Decide on a command, given the last tick.

        Args:
            command: The command.
            row: The last tick.
            motion: The motion of the file that it names.

        Raises:
            Refused: It cannot be done now; the message says why and what can be done instead.
            ConfigError: A value in it can never work.
            UnknownNameError: There is no such law, preset or parameter.
            MotionNotLoaded: It names a motion that was not handed over.
        """
        handler = _handler_of(command)
        wishes, config, before = self.wishes.copy(), self.config, self.reference.motion
        self.reference.offered = motion
        try:
            with refusing_errors():
                return handler(self, command, row)
        except PliantError:
            self.wishes.restore(wishes)
            if self.config is not config:
                self.reference.offered = before
                self.put_in_force(config)
            raise
        finally:
            self.reference.offered = None

    def read_and_take(self, command: Command, row: Rows) -> Reply:
        """Decide on a command; the motion that it names is read here, however long that takes.

        Raises:
            PliantError: It was refused, and nothing changed.
        """
        try:
            return self.take(command, row)
        except MotionNotLoaded as missing:
            return self.take(command, row, self.reference.read(missing.file))
