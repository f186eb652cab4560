"""`pliant console`: the operator's console in the browser."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pliant.console.server.access_token import given_token
from pliant.console.server.messages import StartRequest
from pliant.console.server.serve import serve
from pliant.console.server.settings import Settings
from pliant.errors import ConfigError
from pliant.ring.discovery import controller_name
from pliant.robots.registry import check_robot


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
    """Address to listen on; by default only this machine can reach it."""
    port: int = 8090
    """Port to listen on; 0 selects a free one."""
    token_file: Path | None = None
    """A file with the token to require, readable by you alone; by default a new random one.
    PLIANT_CONSOLE_TOKEN sets it as well; a command line would show it to every user."""
    recordings: Path = Path("recordings")
    """Folder for recordings."""
    heartbeat: float | None = None
    """Let the arm hold after the operator's page has been silent for this long, s; by default 1 s
    for a real arm and 3 s for a simulated one."""
    lease_timeout: float = 30.0
    """Another client may take control after this long without a command, s."""
    open: bool = False
    """Open the console in the default browser."""


def console(options: Annotated[ConsoleOptions, tyro.conf.arg(name="")]) -> None:
    """Serve the operator's console: watch, command and tune an arm in the browser.

    The console starts a controller on request, or attaches to a running one. Ctrl-C ends it,
    together with the controller that it started.
    """
    # a wrong name is refused before anything is served
    check_robot(options.robot)
    serve(
        _settings(options),
        attach=_attached(options.attach),
        start=options.start,
        show=options.open,
        ready=lambda address: print(f"Pliant console at {address}", flush=True),
    )


def _settings(options: ConsoleOptions) -> Settings:
    if options.heartbeat is not None and not 0.1 <= options.heartbeat <= 10.0:
        raise ConfigError(f"--heartbeat must be 0.1 to 10 s, not {options.heartbeat:g}")
    if not 0 <= options.port < 65536:
        raise ConfigError(f"--port must be 0 to 65535, not {options.port}")
    binaries = tuple(str(Path(path).expanduser().resolve()) for path in options.binary)
    return Settings(
        host=options.host,
        port=options.port,
        token=given_token(options.token_file),
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


VERB = console
