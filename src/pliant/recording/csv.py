"""Writes ticks to a CSV file, with a default set of columns or with chosen ones."""

import csv
import io
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from pliant.commands.telemetry_line import collect, first_numbers
from pliant.errors import ConfigError, UnknownNameError
from pliant.numerics.spatial import Array
from pliant.recording.atomic_file import AtomicFile
from pliant.tick import Rows, tick_dtype

_WRENCH = ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz")
_POSE = ("x", "y", "z", "rx", "ry", "rz")

Values = Callable[[Rows], list[Any]]
"""Computes the values of one CSV row from a tick."""


class CsvWriter:
    """Writes ticks to a CSV file; commands, replies and events are left out.

    Attributes:
        path: The file.
        lost: Number of ticks missing between those it was given.
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
            path: The file.
            header: Metadata of the arm, as for a `RecordingWriter`.
            rate: Rows per second; every tick if None.
            columns: Columns of the tick; if empty, wrenches, poses, joints and temperatures.

        Raises:
            RecordingError: The file exists already or cannot be written.
            ConfigError: The rate is not positive.
            UnknownNameError: There is no such column.
        """
        if rate is not None and not rate > 0.0:
            raise ConfigError(f"the rate must be above 0 rows per second, not {rate:g}")
        names, self._values = _table(header, columns)
        self.path = path
        self.lost = 0
        self._file = AtomicFile(path)
        self._per_tick = 1.0 if rate is None else min(1.0, rate * header["dt"])
        self._first_k = 0
        self._last_k: int | None = None
        self._text = io.StringIO()
        self._lines = csv.writer(self._text, lineterminator="\n")
        self._lines.writerow(names)

    def publish(self, tick: Rows) -> None:
        """Add a tick."""
        k = tick["k"].item()
        if self._last_k is None:
            self._first_k, begins = k, True
        else:
            self.lost += k - self._last_k - 1
            begins = self._slot(k) > self._slot(self._last_k)
        self._last_k = k
        if begins:
            self._lines.writerow(self._values(tick))

    def _slot(self, k: int) -> int:
        """Number of the row to which a tick belongs."""
        # a small margin, so that rounding does not move a row to the next tick
        return int((k - self._first_k) * self._per_tick + 1e-9)

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Ignore the line: a CSV file holds ticks only."""

    def flush(self) -> None:
        """Write all pending rows to the file.

        Raises:
            RecordingError: The disk is full; the file ends with the last row that fits.
        """
        data = self._text.getvalue().encode()
        self._text.seek(0)
        self._text.truncate()
        self._file.append(data)

    def close(self) -> None:
        """Write all pending rows and close the file.

        Raises:
            RecordingError: The disk is full.
        """
        try:
            self.flush()
        finally:
            self._file.close()


def _table(header: dict[str, Any], columns: Sequence[str]) -> tuple[list[str], Values]:
    """Names of the CSV columns, and the function that computes their values."""
    n, start = header["n"], header["start"]
    if not columns:
        values = first_numbers(n)
        return _default_names(n), lambda tick: _default_values(tick, start, values)
    known = list(tick_dtype(n).names or ())
    for name in columns:
        if name not in known:
            raise UnknownNameError("column", name, known)
    names = ["time", *(part for name in columns for part in flat_names(name, tick_dtype(n)[name]))]
    return names, lambda tick: [_format(value) for value in _chosen_values(tick, columns)]


def flat_names(column: str, dtype: np.dtype) -> list[str]:
    """A name for each element of a column: `w_T_0`, `J_W_0_5`."""
    indices = product(*(range(size) for size in dtype.shape))
    return ["_".join([column, *map(str, index)]) for index in indices]


def _chosen_values(tick: Rows, columns: Sequence[str]) -> list[Any]:
    return [tick["time"].item(), *(v for name in columns for v in tick[name].ravel().tolist())]


def _default_names(n: int) -> list[str]:
    return [
        "epoch_s",
        *(f"{axis}_s" for axis in _WRENCH),
        *(f"{axis}_d" for axis in _WRENCH),
        *(f"tcp_{axis}" for axis in _POSE),
        *(f"ref_{axis}" for axis in _POSE),
        *(f"q{i}" for i in range(n)),
        *(f"T{i}" for i in range(n)),
    ]


def _default_values(tick: Rows, start: float, values: Array) -> list[str]:
    """The values of one row; `values` holds those of the row before."""
    collect(tick, values)
    time, tcp, ref, sensed, desired, joints = np.split(values, [1, 7, 13, 19, 25])
    numbers = np.concatenate([sensed, desired, tcp, ref, joints]).tolist()
    return [f"{start + time.item():.6f}", *map(_format, numbers)]


def _format(value: float) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)
