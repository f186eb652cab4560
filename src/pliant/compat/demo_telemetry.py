"""Ticks from telemetry lines of the force-control demo."""

import re

import numpy as np

from pliant.commands.line_protocol import pose_from_rotvec
from pliant.errors import PliantError
from pliant.numerics.spatial import Array
from pliant.reasons import State
from pliant.tick import Rows, new_rows

N_JOINTS = 6
PREFIX = "TELEM:"
COLUMNS = [
    *("k", "time", "dt", "q", "temperature", "X_WT", "w_T", "X_WR", "w_desired_T", "w_target"),
    *("Tr", "n_af"),
]
"""The columns that telemetry lines fill."""

_FIELD = re.compile(r"(\w+)=(\S+)")
_GROUPS = ("tcp", "ref", "ws", "wd", "q", "T")


def parse_telemetry(line: str) -> dict[str, Array]:
    """The numbers of a telemetry line by the names of its groups.

    Raises:
        PliantError: It is incomplete.
    """
    try:
        groups = {
            name: np.array([float(number) for number in numbers.split(",")])
            for name, numbers in _FIELD.findall(line.removeprefix(PREFIX))
        }
    except ValueError:
        raise PliantError(f"not a telemetry line: {line[:80]}") from None
    whole = groups.get("t", np.empty(0)).size == 1
    if not whole or any(groups.get(name, np.empty(0)).size != N_JOINTS for name in _GROUPS):
        raise PliantError(f"not a telemetry line: {line[:80]}")
    return groups


def telemetry_row(groups: dict[str, Array], k: int, dt: float, sign: float) -> Rows:
    """A tick from a telemetry line.

    Args:
        groups: Its numbers.
        k: The number to give the tick.
        dt: The time from one line to the next, s.
        sign: -1 if that program's wrench is what the tool does to its environment.
    """
    row = new_rows(N_JOINTS)
    row["k"], row["dt"], row["time"] = k, dt, groups["t"]
    row["X_WT"], row["X_WR"] = pose_from_rotvec(groups["tcp"]), pose_from_rotvec(groups["ref"])
    row["w_T"], row["w_desired_T"] = sign * groups["ws"], sign * groups["wd"]
    row["q"], row["temperature"] = groups["q"], groups["T"]
    row["state"] = State.ACTIVE
    return row
