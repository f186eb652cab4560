"""List the running controllers."""

import json as json_format
import socket
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from pliant.console.address_file import find_consoles
from pliant.errors import PliantError
from pliant.reasons import State
from pliant.ring.discovery import find_controllers
from pliant.ring.runtime_folder import RING_SUFFIX, SOCKET_SUFFIX, ProcessId, runtime_folder
from pliant.ring.snapshot import look

_TIMEOUT = 1.0
_LATE = "late p50/p99, µs"
_HEADINGS = ("name", "arm", "pid", "state", _LATE, "in control", "guardian")


def status(json: bool = False) -> None:
    """Print the running controllers: arm, state, lateness, the client in control, the guardian.

    The addresses of your consoles follow, with their tokens.

    Args:
        json: Print a JSON list instead of a table.
    """
    rows = [row for name in find_controllers() if (row := _describe(name))]
    if json:
        print(json_format.dumps(rows))
    elif not rows:
        print("no controller is running")
    else:
        Console().print(_table(rows))
    for console in () if json else find_consoles():
        print(f"console at {console.address}")


def _table(rows: list[dict[str, Any]]) -> Table:
    """The controllers as a table that fits 80 columns; long names go on in the next line."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in _HEADINGS:
        table.add_column(heading, overflow="fold")
    for row in rows:
        late = [row.get(f"late {name}, µs") for name in ("p50", "p99")]
        shown = row | {_LATE: "/".join(f"{value:.0f}" for value in late if value is not None)}
        table.add_row(*[str(shown.get(heading, "")) for heading in _HEADINGS])
    return table


def _describe(name: str) -> dict[str, Any] | None:
    """The table row of a controller; None if it has just ended."""
    try:
        ring = look(runtime_folder() / f"{name}{RING_SUFFIX}")
    except OSError:
        return None
    except PliantError as error:
        return {"name": name, "state": str(error)}
    late, last = 1e6 * ring.lateness, ring.newest
    return {
        "name": name,
        "arm": ring.header["spec"],
        "pid": ring.header["pid"],
        "state": State(last["state"].item()).name if last is not None else "STARTING",
        "late p50, µs": round(float(np.percentile(late, 50)), 1) if late.size else None,
        "late p99, µs": round(float(np.percentile(late, 99)), 1) if late.size else None,
        "in control": _holder(name),
        "guardian": ring.guardian if ProcessId.of(ring.guardian) else "none",
    }


def _holder(name: str) -> str:
    """The client that holds the lease, as the controller reports it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(_TIMEOUT)
        try:
            connection.connect(str(runtime_folder() / f"{name}{SOCKET_SUFFIX}"))
            connection.sendall(b"REPLIES json\nLEASE who\n")
            with connection.makefile("rb") as replies:
                replies.readline()
                return json_format.loads(replies.readline())["value"]
        except (OSError, ValueError, KeyError):
            return "no answer"


VERB = status
