"""`pliant console`: the operator's page in the browser."""

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
from pliant.sim.spec import PREFIX, parse_sim_spec


@dataclass
class ConsoleOptions:
    """What can be set for a console."""

    robot: str = "sim:ur5e/peg"
    """The arm that the page offers to start: sim:ur5e, sim:ur5e/peg, …"""
    config: Path | None = None
    """A YAML file with parameters for the arm that the page starts."""
    start: bool = False
    """Start that arm at once."""
    attach: tuple[str, ...] | None = None
    """Follow a controller that runs: its name, or nothing if there is only one."""
    binary: tuple[str, ...] = ()
    """Other programs that speak the line protocol, which the page may then start."""
    host: str = "127.0.0.1"
    """Address to listen on; any but this machine's own asks browsers for a token."""
    port: int = 8090
    """Port to listen on; 0 takes any that is free."""
    token: str = ""
    """The token to ask for; one is made where it is needed."""
    recordings: Path = Path("recordings")
    """Folder of the recordings."""
    heartbeat: float = 0.35
    """Silence of the operator's page after which the arm is brought to rest, s."""
    lease_timeout: float = 30.0
    """Someone else may take control after this long without a command, s."""
    open: bool = False
    """Open the page in the browser."""


def console(options: Annotated[ConsoleOptions, tyro.conf.arg(name="")]) -> None:
    """Serve the operator's page: watch an arm, command it, tune it.

    Starts a controller when the page says so, or follows one that runs. Ends with Ctrl-C; the
    controller that it started ends with it.
    """
    if options.robot.startswith(PREFIX):
        warm(parse_sim_spec(options.robot)[0])
    serve(
        _settings(options),
        attach=_attached(options.attach),
        start=options.start,
        ready=lambda address: _ready(address, options.open),
    )


def _settings(options: ConsoleOptions) -> Settings:
    if not 0.1 <= options.heartbeat <= 10.0:
        raise ConfigError(f"--heartbeat is 0.1 to 10 s, not {options.heartbeat:g}")
    if not 0 <= options.port < 65536:
        raise ConfigError(f"--port is 0 to 65535, not {options.port}")
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


def _attached(wanted: tuple[str, ...] | None) -> str:
    if wanted is None:
        return ""
    if len(wanted) > 1:
        raise ConfigError("--attach takes one name")
    return controller_name(wanted[0] if wanted else "")


def _ready(address: str, show: bool) -> None:
    print(f"Pliant console at {address}", flush=True)
    if show:
        webbrowser.open(address)


VERB = console
