"""A motion from a table of comma-separated numbers.

The first line may name the columns: `time`, `q_0`, `q_1`, … and optionally torques `tau_0`, ….
Without names each line has the time, the positions and optionally the torques.
"""

import re
from pathlib import Path

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.errors import ConfigError
from pliant.numerics.spatial import Array
from pliant.stages.reference.motion_files.recorded_motion import Motion
from pliant.stages.reference.motion_files.regular_file import open_regular

_MOST_BYTES = 1 << 28
_TIME = ("time", "t")
_COLUMN = re.compile(r"(?P<name>q|tau)[\[_.]?(?P<joint>[0-9]{1,2})\]?")


def read_table(path: Path, arm: ArmDescription) -> Motion:
    """Read the motion of a table.

    Raises:
        ConfigError: The table cannot be read; the message names the line.
    """
    with open_regular(path, _MOST_BYTES) as file:
        try:
            lines = file.read().decode().splitlines()
        except (OSError, UnicodeError) as error:
            raise ConfigError(f"cannot read {path}: {error}") from None
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        raise ConfigError(f"{path} is empty")
    names = [name.strip().strip('"') for name in lines[0].split(",")]
    headed = not _is_number(names[0])
    values = _values(path, lines, 1 if headed else 0)
    time, q, tau = _named(path, names) if headed else _unnamed(path, values.shape[1], arm)
    return Motion(
        name=path.name,
        time=values[:, time],
        q=values[:, q],
        tau=values[:, tau] if tau else np.zeros((len(values), len(q))),
        has_gravity=True,
        place=lambda k: f"line {k + 1 + headed}",
    )


def _values(path: Path, lines: list[str], first: int) -> Array:
    """The numbers of all lines from index `first` on."""
    width = len(lines[0].split(","))
    body = lines[first:]
    if not body:
        raise ConfigError(f"{path} has a line of names, and no motion")
    try:
        values = np.loadtxt(body, delimiter=",", ndmin=2)
        if values.shape == (len(body), width):
            return values
    except ValueError:
        pass
    for number, line in enumerate(body, first + 1):
        cells = line.split(",")
        if len(cells) != width:
            raise ConfigError(
                f"{path.name}, line {number}: {len(cells)} columns instead of {width}"
                + (", cut off" if number == len(lines) and len(cells) < width else "")
            )
        for cell in cells:
            if not _is_number(cell):
                raise ConfigError(f"{path.name}, line {number}: {cell.strip()!r} is no number")
    raise ConfigError(f"{path.name} is no table of numbers")


def _named(path: Path, names: list[str]) -> tuple[int, list[int], list[int]]:
    """Column numbers of time, positions and torques, by the names in the first line."""
    found: dict[str, dict[int, int]] = {"q": {}, "tau": {}}
    for at, name in enumerate(names):
        match = _COLUMN.fullmatch(name)
        if match:
            found[match["name"]][int(match["joint"])] = at
    time = [at for at, name in enumerate(names) if name in _TIME]
    if len(time) != 1 or not found["q"]:
        raise ConfigError(
            f"{path.name}, line 1: needs columns time and q_0, q_1, …; has {', '.join(names[:12])}"
        )
    q, tau = ([found[name][joint] for joint in sorted(found[name])] for name in ("q", "tau"))
    if tau and len(tau) != len(q):
        raise ConfigError(f"{path.name}, line 1: {len(q)} positions, but {len(tau)} torques")
    return time[0], q, tau


def _unnamed(path: Path, width: int, arm: ArmDescription) -> tuple[int, list[int], list[int]]:
    """Column numbers of time, positions and torques of a table without names."""
    n = arm.n
    if width not in (1 + n, 1 + 2 * n):
        raise ConfigError(
            f"{path.name}, line 1: {width} columns; without names it needs the time and "
            f"{n} positions, and perhaps {n} torques: {1 + n} or {1 + 2 * n}"
        )
    return 0, list(range(1, 1 + n)), list(range(1 + n, width))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
