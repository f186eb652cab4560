"""List the running controllers."""

import contextlib
import json as json_format

import numpy as np
from rich.console import Console
from rich.table import Table

from pliant.commands import Lease
from pliant.controller.line_connection import LineConnection
from pliant.errors import PliantError
from pliant.ring.discovery import find_controllers, open_ring
from pliant.stages.supervisor import State

_TIMEOUT = 1.0


def status(json: bool = False) -> None:
    """Print the running controllers with arm, state, lateness and the client in control.

    Args:
        json: Print a JSON list instead of a table.
    """
    rows = [row for name in find_controllers() if (row := _describe(name))]
    if json:
        print(json_format.dumps(rows))
    elif not rows:
        print("no controller is running")
    else:
        table = Table(*rows[0])
        for row in rows:
            table.add_row(*[str(value) for value in row.values()])
        Console().print(table)


def _describe(name: str) -> dict[str, object] | None:
    """The table row of a controller; None if it has just ended."""
    try:
        ring = open_ring(name)
    except OSError:
        return None
    ring.rewind()
    late = np.array([row["lateness"].item() for row in ring.ticks()]) * 1e6
    last = ring.latest()
    state = State(last["state"].item()).name if last is not None else "STARTING"
    return {
        "name": name,
        "arm": ring.header["spec"],
        "pid": ring.header["pid"],
        "state": state,
        "late p50, µs": round(float(np.percentile(late, 50)), 1) if late.size else None,
        "late p99, µs": round(float(np.percentile(late, 99)), 1) if late.size else None,
        "in control": _holder(name),
    }


def _holder(name: str) -> str:
    """The client that holds the lease, as the controller reports it."""
    try:
        with contextlib.closing(LineConnection(name, _TIMEOUT)) as connection:
            return connection.ask(Lease(action="who")).value
    except PliantError:
        return "no answer"


VERB = status
