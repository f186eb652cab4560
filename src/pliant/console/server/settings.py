"""The settings of a console."""

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path

from pliant.console.server.messages import StartRequest


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Where a console listens, what it offers, and its timeouts.

    Attributes:
        host: Address to listen on.
        port: Port to listen on; 0 is any free one.
        token: The token that a browser must present; if empty, `serve` makes one.
        heartbeat: A viewer in control counts as gone after this much silence, s; None: by the arm,
            see `heartbeats`.
        lease_timeout: Another viewer can take control after this long without a command, s.
        recordings: Folder of the recordings.
        binaries: Other programs that the page may start.
        start: The start request that the page offers.
        config: A YAML file with the configuration of controllers that the page starts.
        name: Name of the controller that this console starts.
    """

    host: str = "127.0.0.1"
    port: int = 8090
    token: str = ""
    heartbeat: float | None = None
    lease_timeout: float = 30.0
    recordings: Path = field(default_factory=lambda: Path("recordings"))
    binaries: tuple[str, ...] = ()
    start: StartRequest = field(default_factory=StartRequest)
    config: Path | None = None
    name: str = "console"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
