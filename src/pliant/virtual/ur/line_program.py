"""A program without branches: moves and stops, line by line."""

from pliant.virtual.ur.path_player import play_path
from pliant.virtual.ur.program_error import ProgramError
from pliant.virtual.ur.program_text import statements
from pliant.virtual.ur.ur_arm import UrArm


class LineProgram:
    """A program such as `stopj(2.0)`, or a `def` with moves in it.

    Attributes:
        running: Whether it still runs.
    """

    def __init__(self, arm: UrArm, text: str) -> None:
        """Load the program.

        Raises:
            ProgramError: A line cannot be played.
        """
        self.running = True
        self._steps = play_path(arm, statements(text))

    def step(self) -> None:
        """One period.

        Raises:
            ProgramError: A move is out of reach.
        """
        try:
            if next(self._steps, StopIteration) is StopIteration:
                self.running = False
        except ProgramError:
            self.running = False
            raise
