"""Who the arm is: model, software and serial number, asked at its dashboard."""

from dataclasses import dataclass

from pliant.errors import ConfigError
from pliant.robots.ur.dashboard_client import DashboardClient
from pliant.robots.ur.rtde_client import RtdeClient

VIRTUAL_SERIAL = "00000000001"
"""The serial number of every virtual UR; no real arm has it."""

_MODELS = {"UR5": "ur5e", "UR5e": "ur5e"}
"""What e-Series dashboards call the arms that Pliant knows."""

_SINCE = (5, 6)
"""The first version whose dashboard tells serial number and remote control."""


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
    told = f"{major}.{version[1]}"
    if major <= 3:
        raise ConfigError(
            f"this is a CB3 arm (PolyScope {told}): it has no force sensor and runs "
            "at 125 Hz; Pliant controls e-Series arms with PolyScope 5"
        )
    if major >= 10:
        raise ConfigError(
            f"this arm runs PolyScope X {told}, which has no dashboard: Pliant "
            "controls e-Series arms with PolyScope 5"
        )
    if version[:2] < _SINCE:
        raise ConfigError(f"PolyScope {told} is too old for Pliant: update the arm to 5.6 or later")


def identify_arm(client: RtdeClient) -> UrIdentity:
    """Ask an arm who it is, by RTDE and at its dashboard.

    Raises:
        ConfigError: Pliant does not control arms of its kind.
        PliantError: It does not answer.
    """
    version = client.software_version()
    require_version(version)
    dashboard = DashboardClient(client.host)
    try:
        model = dashboard.ask("get robot model")
        serial = dashboard.ask("get serial number")
        remote = dashboard.ask("is in remote control") == "true"
    finally:
        dashboard.close()
    if model not in _MODELS:
        raise ConfigError(
            f"the arm at {client.host} is a {model[:20]}, and Pliant knows the "
            f"{', '.join(sorted(set(_MODELS.values())))} only"
        )
    return UrIdentity(model=_MODELS[model], version=version, serial=serial, remote=remote)
