"""Who the arm is: model, software and serial number, asked at its dashboard."""

from dataclasses import dataclass

from pliant.errors import ConfigError
from pliant.robots.ur.dashboard_client import DashboardClient

VIRTUAL_SERIAL = "00000000001"
"""The serial number of every virtual UR; no real arm has it."""

_MODELS = {"UR5": "ur5e", "UR5e": "ur5e"}
"""What e-Series dashboards call the arms that Pliant knows."""


@dataclass(frozen=True, kw_only=True)
class UrIdentity:
    """An arm.

    Attributes:
        model: Name of Pliant's arm.
        version: Its software: major, minor, bugfix, build.
        serial: Its serial number.
        remote: Whether remote control is on.
    """

    model: str
    version: tuple[int, int, int, int]
    serial: str
    remote: bool

    @property
    def is_virtual(self) -> bool:
        """Whether it is Pliant's own virtual arm."""
        return self.serial == VIRTUAL_SERIAL


def require_version(version: tuple[int, int, int, int]) -> None:
    """Check the software.

    Raises:
        ConfigError: Pliant does not control arms with it.
    """
    major = version[0]
    if major <= 3:
        raise ConfigError(
            f"this is a CB3 arm (PolyScope {major}.{version[1]}): it has no force sensor and runs "
            "at 125 Hz; Pliant controls e-Series arms with PolyScope 5"
        )
    if major >= 10:
        raise ConfigError(
            f"this arm runs PolyScope X {major}.{version[1]}, which has no dashboard: Pliant "
            "controls e-Series arms with PolyScope 5"
        )


def identify_arm(dashboard: DashboardClient, version: tuple[int, int, int, int]) -> UrIdentity:
    """Ask an arm who it is.

    Raises:
        ConfigError: Pliant does not know it.
    """
    model = dashboard.ask("get robot model")
    if model not in _MODELS:
        raise ConfigError(
            f"the arm at {dashboard.host} is a {model[:20]}, and Pliant knows the "
            f"{', '.join(sorted(set(_MODELS.values())))} only"
        )
    return UrIdentity(
        model=_MODELS[model],
        version=version,
        serial=dashboard.ask("get serial number"),
        remote=dashboard.ask("is in remote control") == "true",
    )
