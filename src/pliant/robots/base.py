"""What a backend must offer: five methods, and nothing else of the arm leaks out."""

from abc import ABC, abstractmethod

from pliant.robots.native import Native
from pliant.tick import Rows


class Robot(ABC):
    """An arm that the loop can drive.

    A backend converts its vendor's units, signs and frames here and nowhere else. All methods are
    called from the loop's thread.

    Attributes:
        n: Number of joints.
        dt: The control period in seconds.
        simulated: Whether it is no real arm, so that faults may be pretended.
        native: How kernels read and write it; None if only Python can.
    """

    n: int
    dt: float
    simulated: bool = False
    native: Native | None = None

    def unattended(self) -> int:
        """For how many ticks from now on it is enough to read and write it in kernels."""
        return 0

    @abstractmethod
    def connect(self) -> None:
        """Make the arm ready to be read; it does not move."""

    @abstractmethod
    def read(self, tick: Rows) -> None:
        """Fill the columns of stage `robot` with what the arm and the sensor say now."""

    @abstractmethod
    def write(self, tick: Rows) -> None:
        """Send `q_limited`, or `tau_limited` to a torque arm.

        Notes in `q_sent` and `tau_sent` what was really sent.
        """

    @abstractmethod
    def stop(self) -> None:
        """Bring the arm to rest by the backend's own means; must work in any state."""

    @abstractmethod
    def close(self) -> None:
        """Let the arm go. Safe to call twice."""
