"""A recording as the clock and the robot of a loop: the inputs of every tick, as they were."""

from pliant.errors import LawError
from pliant.robots.base import Robot
from pliant.tick import Rows, columns

_CLOCK = [name for name, declared, _ in columns() if declared.stage == "clock"]
_ROBOT = [name for name, declared, _ in columns() if declared.stage == "robot"]
_WRITE = [name for name, declared, _ in columns() if declared.stage == "write"]


class Tape(Robot):
    """Plays recorded rows; it begins at the first of them, and each `wait` goes on to the next.

    Attributes:
        open_loop: Whether the arm is taken to have been told what the loop says now, rather than
            what it was told when it was recorded.
    """

    def __init__(self, rows: Rows, abandoned: dict[int, str], *, open_loop: bool) -> None:
        """Begin at the first row.

        Args:
            rows: Consecutive ticks.
            abandoned: Ticks at which the arm could not be read or written, and what was said then.
            open_loop: See above.
        """
        self.n = rows["q"].shape[1]
        self.dt = rows["dt"][-1].item()
        self.open_loop = open_loop
        self._rows = rows
        self._abandoned = abandoned
        self._at = 0

    def wait(self, prev: Rows, tick: Rows) -> bool:
        """Go on to the next row and take its clock columns; what came is known for each."""
        self._at += 1
        self._copy(_CLOCK, tick)
        return True

    def connect(self) -> None:
        """Nothing to do."""

    def read(self, tick: Rows) -> None:
        """Take the robot columns of the row.

        Raises:
            LawError: The arm could not be read or written then; in the same words.
        """
        words = self._abandoned.get(self._rows["k"][self._at].item())
        if words is not None:
            # of all errors this is the one whose words the loop takes over as they are
            raise LawError(words)
        self._copy(_ROBOT, tick)

    def write(self, tick: Rows) -> None:
        """Note what was sent when it was recorded, or what would be sent now."""
        if not self.open_loop:
            self._copy(_WRITE, tick)
            return
        for name in _WRITE:
            tick[name] = tick[name.replace("_sent", "_limited")]

    def stop(self) -> None:
        """There is no arm."""

    def close(self) -> None:
        """There is no arm."""

    def _copy(self, names: list[str], tick: Rows) -> None:
        for name in names:
            tick[name][0] = self._rows[name][self._at]
