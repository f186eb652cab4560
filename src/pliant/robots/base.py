"""The base class of backends: five methods."""

from abc import ABC, abstractmethod

from pliant.robots.native import Native
from pliant.tick import Rows


class Robot(ABC):
    """An arm that the loop can control.

    Only a backend converts the vendor's units, signs and frames. The loop's thread calls all
    methods.

    Attributes:
        n: Number of joints.
        dt: The control period in seconds.
        simulated: Whether the arm is simulated, so that faults may be injected.
        native: The arm's interface for kernels; None if only Python can read and write it.
    """

    n: int
    dt: float
    simulated: bool = False
    native: Native | None = None

    def unattended(self) -> int:
        """Number of the next ticks in which kernels may read and write the arm without Python."""
        return 0

    @abstractmethod
    def connect(self) -> None:
        """Connect to the arm, so that it can be read; the arm does not move."""

    @abstractmethod
    def read(self, tick: Rows) -> None:
        """Write the columns of stage `robot` from the arm and the sensor."""

    @abstractmethod
    def write(self, tick: Rows) -> None:
        """Send `q_limited`, or `tau_limited` to a torque arm.

        Writes to `q_sent` and `tau_sent` what was sent.
        """

    @abstractmethod
    def stop(self) -> None:
        """Bring the arm to rest by the backend's means; must work in any state."""

    @abstractmethod
    def close(self) -> None:
        """Release the arm. May be called twice."""
