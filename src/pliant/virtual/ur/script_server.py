"""The script ports: text of programs, run when it is complete.

The real ports also stream the arm's state; nobody who uploads programs needs that, and this one
does not.
"""

from collections.abc import Callable

from pliant.virtual.byte_channel import ByteChannel
from pliant.virtual.ur.program_error import ProgramError
from pliant.virtual.ur.program_text import first_program
from pliant.virtual.ur.ur_controller import UrController

PORTS = (30001, 30002, 30003)


class ScriptServer:
    """Takes programs."""

    def __init__(self, controller: UrController, tell: Callable[[str, int], None]) -> None:
        """Make the server.

        Args:
            controller: What runs the programs.
            tell: Called with the reason why a program is not run, and a level.
        """
        self._controller = controller
        self._tell = tell

    def received(self, channel: ByteChannel) -> bool:
        """Run programs that are complete, one after the other."""
        program, rest = first_program(channel.received.decode("latin-1"))
        while program:
            channel.received[:] = rest.encode("latin-1")
            try:
                self._controller.load(program)
            except ProgramError as error:
                self._tell(str(error), 0)
            program, rest = first_program(rest)
        return True
