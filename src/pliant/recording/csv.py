"""Tables: ticks as comma-separated values, in the columns of seed 000 or in chosen ones."""

import csv
import io
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import ConfigError, UnknownNameError
from pliant.loop.telemetry import collect
from pliant.recording.whole_file import WholeFile
from pliant.tick import Rows, tick_dtype

_WRENCH = ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz")
_POSE = ("x", "y", "z", "rx", "ry", "rz")

Values = Callable[[Rows], list[Any]]
"""The values of one line of a table."""


class CsvWriter:
    """Writes a table; lines beside the ticks have no place in it.

    Attributes:
        path: The file.
        lost: How many ticks were missing between those it was given.
    """

    def __init__(
        self,
        path: Path,
        header: dict[str, Any],
        *,
        rate: float | None = None,
        columns: Sequence[str] = (),
    ) -> None:
        """Create the file.

        Args:
            path: Its name.
            header: What is known of the arm, as for a `RecordingWriter`.
            rate: Lines a second; every tick if None.
            columns: Columns of a tick; if empty, poses, wrenches, joint positions and
                temperatures.

        Raises:
            RecordingError: It exists already, or cannot be written.
            ConfigError: The rate is none.
            UnknownNameError: There is no such column.
        """
        if rate is not None and not rate > 0.0:
            raise ConfigError(f"a rate is a number of lines a second above 0, not {rate:g}")
        names, self._values = _table(header, columns)
        self.path = path
        self.lost = 0
        self._file = WholeFile(path)
        self._per_tick = 1.0 if rate is None else min(1.0, rate * header["dt"])
        self._last_k: int | None = None
        self._text = io.StringIO()
        self._lines = csv.writer(self._text, lineterminator="\n")
        self._lines.writerow(names)

    def publish(self, tick: Rows) -> None:
        """Take a tick."""
        k = tick["k"].item()
        before = k - 1 if self._last_k is None else self._last_k
        self.lost += k - before - 1
        first = self._last_k is None
        self._last_k = k
        if first or _slot(k, self._per_tick) > _slot(before, self._per_tick):
            self._lines.writerow(self._values(tick))

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """A table has no place for it."""

    def flush(self) -> None:
        """Bring everything taken so far to the file.

        Raises:
            RecordingError: The disk is full; the file ends with the last line that fits.
        """
        data = self._text.getvalue().encode()
        self._text.seek(0)
        self._text.truncate()
        self._file.append(data)

    def close(self) -> None:
        """Write what is left.

        Raises:
            RecordingError: The disk is full.
        """
        try:
            self.flush()
        finally:
            self._file.close()


def _slot(k: int, per_tick: float) -> int:
    # a hair more, so that rounding does not move a line to the next tick
    return int(k * per_tick + 1e-9)


def _table(header: dict[str, Any], columns: Sequence[str]) -> tuple[list[str], Values]:
    """Names and values of a table's columns."""
    n, start = header["n"], header["start"]
    if not columns:
        return _names(n), lambda tick: _collected(tick, start)
    known = list(tick_dtype(n).names or ())
    for name in columns:
        if name not in known:
            raise UnknownNameError("column", name, known)
    names = ["time", *(part for name in columns for part in flat_names(name, tick_dtype(n)[name]))]
    return names, lambda tick: [_shown(value) for value in _chosen(tick, columns)]


def flat_names(column: str, dtype: np.dtype) -> list[str]:
    """A name for each number of a column: `w_T_0`, `J_W_0_5`."""
    places = product(*(range(size) for size in dtype.shape))
    return ["_".join([column, *map(str, place)]) for place in places]


def _chosen(tick: Rows, columns: Sequence[str]) -> list[Any]:
    return [tick["time"].item(), *(v for name in columns for v in tick[name].ravel().tolist())]


def _names(n: int) -> list[str]:
    return [
        "epoch_s",
        *(f"{axis}_s" for axis in _WRENCH),
        *(f"{axis}_d" for axis in _WRENCH),
        *(f"tcp_{axis}" for axis in _POSE),
        *(f"ref_{axis}" for axis in _POSE),
        *(f"q{i}" for i in range(n)),
        *(f"T{i}" for i in range(n)),
    ]


def _collected(tick: Rows, start: float) -> list[str]:
    values = np.empty(25 + 2 * tick["q"].shape[1])
    collect(tick, values)
    time, tcp, ref, sensed, desired, joints = np.split(values, [1, 7, 13, 19, 25])
    numbers = np.concatenate([sensed, desired, tcp, ref, joints]).tolist()
    return [f"{start + time.item():.6f}", *map(_shown, numbers)]


def _shown(value: float) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)
