"""The base class of backends, for Pliant's own and for a user's."""

from abc import ABC, abstractmethod
from typing import Any, Protocol, Self

from pliant.arms.description import ArmDescription
from pliant.robots.gripper import Gripper
from pliant.sim.hand import Hand
from pliant.sim.scenes import SceneNominal
from pliant.tick import Rows
from pliant.user_file import make


class Clock(Protocol):
    """Decides when the next tick begins and writes the clock's columns."""

    def wait(self, prev: Rows, tick: Rows, /) -> None:
        """Return when the next tick begins."""
        ...


class Stopper(ABC):
    """Stops an arm on a connection of its own, from the guardian's process.

    The guardian opens it before the arm moves and calls `stop` when the controller is stuck or
    dead, by its vendor's means: a protective stop, a stop command of the dashboard.
    """

    @abstractmethod
    def stop(self) -> None:
        """Bring the arm to rest, whatever state it is in; send at once, and wait for no reply.

        It is called again when the controller is dead, in case one more set point came between.
        """


class Robot(ABC):
    """An arm that the loop can control: `description`, `read` and `write` are all it needs.

    Only a backend converts the vendor's units, signs and frames: SI units, a wrench is what the
    environment does to the tool, in the axes of the sensor. The loop's thread calls all methods.

    Attributes:
        description: The arm's parameters.
        dt: The control period in seconds; by default that of the arm.
        simulated: Whether the arm is simulated, so that faults may be injected, and it may run in
            simulated time.
        clock: A clock that begins each tick, such as the arrival of the arm's own package; None
            for Pliant's.
        scene_nominal: What a strategy may know of the scene: that of a simulation, or a drawing's;
            else None.
        hand: A hand that can push a simulated tool, else None.
        gripper: The gripper on the arm, known once it is connected, else None.
        checked: Whether the loop checks at the first read and write that no column was left out; a
            recording has been read once already.
    """

    description: ArmDescription
    simulated: bool = False
    clock: Clock | None = None
    scene_nominal: SceneNominal | None = None
    hand: Hand | None = None
    gripper: Gripper | None = None
    checked: bool = True
    _dt: float | None = None

    @classmethod
    def settle(cls, place: str, config: Any, seed: int | None) -> Any:
        """Fill in what a spec says of the configuration.

        Args:
            place: The spec after its colon.
            config: A `Config`.
            seed: Seed of everything random in a simulation; None is as configured.

        Raises:
            ConfigError: The spec and the configuration contradict each other.
        """
        return config

    @classmethod
    def describe(cls, place: str) -> ArmDescription:
        """The arm that a spec names, without a connection to it.

        Raises:
            UnknownNameError: There is no such arm.
        """
        return cls.description

    @classmethod
    def open(cls, place: str, config: Any, rate: float | None) -> Self:
        """Make the robot of a spec.

        Args:
            place: The spec after its colon.
            config: The configuration, settled.
            rate: Control rate, Hz; the arm's own if None.

        Raises:
            ConfigError: It cannot be made.
        """
        robot = make(cls)
        if rate is not None:
            robot.dt = 1.0 / rate
        return robot

    @classmethod
    def open_stopper(cls, place: str, config: Any) -> Stopper | None:
        """Connect what can stop the arm when its controller cannot; called in the guardian.

        By default there is none: then the guardian ends the controller, whose connection drops.

        Args:
            place: The spec after its colon.
            config: The configuration, settled.

        Raises:
            PliantError: There is no connection; the controller does not start.
        """
        return None

    @property
    def n(self) -> int:
        """Number of joints."""
        return self.description.n

    @property
    def dt(self) -> float:
        """The control period, s."""
        return self._dt or 1.0 / self.description.rate

    @dt.setter
    def dt(self, period: float) -> None:
        self._dt = period

    def connect(self) -> None:  # noqa: B027
        """Connect to the arm, so that it can be read; the arm does not move."""

    @abstractmethod
    def read(self, tick: Rows) -> None:
        """Write the columns of stage `robot` from the arm and the sensor."""

    @abstractmethod
    def write(self, tick: Rows) -> None:
        """Send `q_limited`, or `tau_limited` to a torque arm.

        Writes to `q_sent` and `tau_sent` what was sent.
        """

    def stop(self) -> None:  # noqa: B027
        """Bring the arm to rest by the backend's means; must work in any state.

        By default nothing is done, for an arm that holds when nothing more is sent.
        """

    def recover(self) -> str:
        """Begin to make an arm follow again that its own controller stopped; called by a reset.

        It returns at once, and says in words what happens; empty if there is nothing to do.
        """
        return ""

    def force_refusal(self) -> str:
        """Why laws that need force may not start on this arm; empty if they may."""
        return ""

    def close(self) -> None:  # noqa: B027
        """Release the arm. May be called twice."""
