"""The base class of grippers, whichever arm they are mounted on."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from pliant.tick import Rows


def _say_nothing(text: str) -> None:
    pass


class Gripper(ABC):
    """Two fingers that another process or thread moves: no method waits.

    Each command that begins has a number, which the column `gripper_seq` shows from then on; it has
    ended when `gripper_state` no longer says that the gripper moves. Widths are m, speeds of the
    fingers to each other m/s, forces N.

    Attributes:
        tell: Called with what a user should know, in words.
    """

    tell: Callable[[str], None] = staticmethod(_say_nothing)

    @abstractmethod
    def home(self) -> int:
        """Begin to find out how far the fingers open; the number of the command.

        Raises:
            Refused: It cannot begin now.
        """

    @abstractmethod
    def move(self, width: float, speed: float) -> int:
        """Begin to move the fingers to a width; the number of the command.

        Raises:
            Refused: It cannot begin now.
        """

    @abstractmethod
    def grasp(self, width: float, force: float, speed: float, inner: float, outer: float) -> int:
        """Begin to grasp; the number of the command.

        Args:
            width: Width of the object.
            force: Force to hold it with.
            speed: Speed of the fingers.
            inner: How much narrower it may be, to count as grasped.
            outer: How much wider it may be.

        Raises:
            Refused: It cannot begin now.
        """

    @abstractmethod
    def stop(self) -> int:
        """Begin to stop the fingers, and to let go; the number of the command.

        Raises:
            Refused: It cannot begin now.
        """

    @abstractmethod
    def write(self, tick: Rows) -> None:
        """Write the columns of the gripper, which belong to stage `robot`."""

    @abstractmethod
    def close(self) -> None:
        """Stop fingers that move, keep hold of what they hold, and hang up. May be called twice."""
