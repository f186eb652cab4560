"""What arms over the wire have in common: an address, and a pace of their own."""

from typing import Any, Generic, Protocol, Self

from pliant.arms.description import ArmDescription
from pliant.arms.tool import Tool
from pliant.errors import ConfigError
from pliant.robots.base import Robot
from pliant.robots.drawing import Drawing
from pliant.robots.package_clock import PackageClock, State


class WireConfig(Protocol):
    """What the section of the configuration for such an arm has."""

    @property
    def silence(self) -> float:
        """Longest time without a package, s."""
        ...

    @property
    def drawing(self) -> Drawing | None:
        """What is before the arm, if that is known."""
        ...


class WireRobot(Robot, Generic[State]):
    """An arm at an address, whose packages begin the ticks.

    Attributes:
        kind: Such an arm in words.
        section: Its section of the configuration, and the prefix of its specs.
        example: Such an address.
    """

    kind: str
    section: str
    example: str

    def __init__(self, host: str, config: WireConfig, tool: Tool) -> None:
        """Make the robot; it is not yet connected.

        Args:
            host: The arm's address.
            config: How it is commanded and read.
            tool: The configured tool.

        Raises:
            ConfigError: There is no address.
        """
        if not host:
            name = self.section
            raise ConfigError(f"{name}:… needs the address of the arm, as in {name}:{self.example}")
        self._host = host
        self._tool = tool
        self.scene_nominal = config.drawing.nominal() if config.drawing else None
        self._packages = PackageClock[State](self.dt, config.silence)
        self.clock = self._packages

    @classmethod
    def describe(cls, place: str) -> ArmDescription:
        """The only model that Pliant knows of this vendor."""
        return cls.description

    @classmethod
    def open(cls, place: str, config: Any, rate: float | None) -> Self:
        """Make the robot of an address.

        Raises:
            ConfigError: The rate is not the arm's own.
        """
        if rate is not None and rate != cls.description.rate:
            raise ConfigError(f"{cls.kind} sets the pace itself, at {cls.description.rate:g} Hz")
        return cls(place, getattr(config, cls.section), config.tool)
