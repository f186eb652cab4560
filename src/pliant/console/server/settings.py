"""What a console is started with."""

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path

from pliant.console.server.messages import StartRequest


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a console listens, what it offers, and how long it is patient.

    Attributes:
        host: Address to listen on.
        port: Port to listen on; 0 is any free one.
        token: What a browser must present; empty where none is needed.
        heartbeat: Silence after which whoever commands counts as gone, s.
        lease_timeout: Idle control can be taken by someone else after this long, s.
        recordings: Folder of the recordings.
        binaries: Other programs that the page may start.
        start: What the page offers to start.
        config: A YAML file with parameters for the controllers that the page starts.
        name: Under which name the console's own controller is found.
    """

    host: str = "127.0.0.1"
    port: int = 8090
    token: str = ""
    heartbeat: float = 0.35
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
