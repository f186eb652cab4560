"""Plays a recording as the clock and the robot of a loop."""

from pliant.arms.description import ArmDescription
from pliant.errors import LawError
from pliant.robots.base import Robot
from pliant.tick import Rows, columns

_CLOCK = [name for name, declared, _ in columns() if declared.stage == "clock"]
_ROBOT = [name for name, declared, _ in columns() if declared.stage == "robot"]
_WRITE = [name for name, declared, _ in columns() if declared.stage == "write"]


class Tape(Robot):
    """Plays recorded rows; it starts at the first row, and each `wait` advances to the next.

    Attributes:
        open_loop: Whether `write` reports the commands computed now as sent, instead of the
            recorded ones.
    """

    # only accepted inputs are recorded, so a recorded fault was injected into a simulated arm
    simulated = True
    checked = False

    def __init__(
        self, arm: ArmDescription, rows: Rows, abandoned: dict[int, str], *, open_loop: bool
    ) -> None:
        """Start at the first row.

        Args:
            arm: The arm's parameters.
            rows: Consecutive ticks.
            abandoned: Error messages, by the tick at which the arm could not be read or written.
            open_loop: See the class.
        """
        self.description = arm
        self.dt = rows["dt"][-1].item()
        self.open_loop = open_loop
        self._rows = rows
        self._abandoned = abandoned
        self._at = 0

    def wait(self, prev: Rows, tick: Rows) -> None:
        """Advance to the next row and copy its clock columns."""
        self._at += 1
        self._copy(_CLOCK, tick)

    def read(self, tick: Rows) -> None:
        """Copy the robot columns of the row.

        Raises:
            LawError: The arm could not be read or written at this tick; has the recorded message.
        """
        message = self._abandoned.get(self._rows["k"][self._at].item())
        if message is not None:
            # the loop publishes only the message of this error unchanged
            raise LawError(message)
        self._copy(_ROBOT, tick)

    def write(self, tick: Rows) -> None:
        """Fill in the command that was sent when recorded, or, in open loop, the one sent now."""
        if not self.open_loop:
            self._copy(_WRITE, tick)
            return
        for name in _WRITE:
            tick[name] = tick[name.replace("_sent", "_limited")]

    def _copy(self, names: list[str], tick: Rows) -> None:
        for name in names:
            tick[name][0] = self._rows[name][self._at]
