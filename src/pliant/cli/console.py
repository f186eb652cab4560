"""`pliant console`: the operator's console in the browser."""

import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pliant.console.server.messages import StartRequest
from pliant.console.server.serve import serve
from pliant.console.server.settings import Settings
from pliant.controller.warm_up import warm
from pliant.errors import ConfigError
from pliant.ring.discovery import controller_name
from pliant.sim.spec import PREFIX


@dataclass
class ConsoleOptions:
    """Options of `pliant console`."""

    robot: str = "sim:ur5e/peg"
    """The arm that the console offers to start: sim:ur5e, sim:ur5e/peg, …"""
    config: Path | None = None
    """A YAML file with parameters for the arm that the console starts."""
    start: bool = False
    """Start the arm immediately."""
    attach: tuple[str, ...] | None = None
    """Attach to a running controller, by its name; no name is needed if only one runs."""
    binary: tuple[str, ...] = ()
    """Other programs that speak the line protocol, for the console to start instead."""
    host: str = "127.0.0.1"
    """Address to listen on; if other machines can reach it, the console requires a token."""
    port: int = 8090
    """Port to listen on; 0 selects a free one."""
    token: str = ""
    """The token to require; by default generated when one is needed."""
    recordings: Path = Path("recordings")
    """Folder for recordings."""
    heartbeat: float = 0.35
    """Stop the arm after the operator's page has been silent for this long, s."""
    lease_timeout: float = 30.0
    """Another client may take control after this long without a command, s."""
    open: bool = False
    """Open the console in the default browser."""


def console(options: Annotated[ConsoleOptions, tyro.conf.arg(name="")]) -> None:
    """Serve the operator's console: watch, command and tune an arm in the browser.

    The console starts a controller on request, or attaches to a running one. Ctrl-C ends it,
    together with the controller that it started.
    """
    if options.robot.startswith(PREFIX):
        warm(options.robot)
    serve(
        _settings(options),
        attach=_attached(options.attach),
        start=options.start,
        ready=lambda address: _ready(address, options.open),
    )


def _settings(options: ConsoleOptions) -> Settings:
    if not 0.1 <= options.heartbeat <= 10.0:
        raise ConfigError(f"--heartbeat must be 0.1 to 10 s, not {options.heartbeat:g}")
    if not 0 <= options.port < 65536:
        raise ConfigError(f"--port must be 0 to 65535, not {options.port}")
    binaries = tuple(str(Path(path).expanduser().resolve()) for path in options.binary)
    return Settings(
        host=options.host,
        port=options.port,
        token=options.token,
        heartbeat=options.heartbeat,
        lease_timeout=options.lease_timeout,
        recordings=options.recordings.resolve(),
        binaries=binaries,
        config=options.config,
        start=StartRequest(robot=options.robot, binary=binaries[0] if binaries else ""),
    )


def _attached(names: tuple[str, ...] | None) -> str:
    if names is None:
        return ""
    if len(names) > 1:
        raise ConfigError("--attach takes one name")
    return controller_name(names[0] if names else "")


def _ready(address: str, show: bool) -> None:
    print(f"Pliant console at {address}", flush=True)
    if show:
        webbrowser.open(address)


VERB = console
