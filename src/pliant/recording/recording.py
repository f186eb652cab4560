"""A recording in memory: columns as arrays with units, and the lines published with the ticks."""

from dataclasses import dataclass
from functools import cached_property
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.config import Config, config_of_run
from pliant.errors import ConfigError, RecordingError, UnknownNameError
from pliant.loop.history_views import plot_columns, to_pandas
from pliant.ring.ring import Line
from pliant.tick import Rows
from pliant.tick_message import RecordedColumn

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure


@dataclass(frozen=True, kw_only=True)
class Recording:
    """The content of a recording; `recording["w_T"]` is an array with one row per tick.

    Attributes:
        path: The file.
        rows: All ticks as one structured array.
        lines: Commands, replies, events and inputs, each with its tick.
        header: Arm, scene, period, laws and software versions.
        config_text: The configuration in force at the first tick, as YAML.
        described: Unit, stage and meaning of each column.
        truncated: Whether the end is missing, because the recorder was killed or the disk was full.
    """

    path: Path
    rows: Rows
    lines: list[Line]
    header: dict[str, Any]
    config_text: str
    described: dict[str, RecordedColumn]
    truncated: bool

    def __repr__(self) -> str:
        cut = ", truncated" if self.truncated else ""
        lost = f", {self.lost} lost" if self.lost else ""
        return (
            f"<Recording {self.path.name}: {len(self)} ticks of {self.header['spec']}{lost}{cut}>"
        )

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, column: str) -> np.ndarray:
        """A column over all ticks.

        Raises:
            UnknownNameError: There is no such column; the error lists similar names.
        """
        return self.rows[self._known(column)]

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.described)

    def to_pandas(self, *columns: str) -> "pandas.DataFrame":
        """The ticks as a pandas table, by time, one column per element; see `History`."""
        return to_pandas(self, columns)

    def plot(self, *columns: str, since: float = -inf, to: float = inf) -> "Figure":
        """Plot columns over time; see `History`."""
        return plot_columns(self, columns, since, to)

    def unit(self, column: str) -> str:
        """The unit of a column.

        Raises:
            UnknownNameError: There is no such column.
        """
        return self.described[self._known(column)].unit

    @property
    def n(self) -> int:
        """Number of joints."""
        return self.header["n"]

    def law_name(self, index: int) -> str:
        """The name of a law by its index in the column `law`; empty if no law is active."""
        names = self.header["laws"]
        if 0 <= index < len(names):
            return names[index]
        return "" if index == -1 else f"unknown law {index}"

    @property
    def time(self) -> np.ndarray:
        """The arm's time at each tick, s."""
        return self["time"]

    @property
    def lost(self) -> int:
        """Number of ticks missing between the first and the last."""
        k = self["k"]
        return int(k[-1] - k[0]) + 1 - len(k) if len(k) else 0

    @cached_property
    def config(self) -> Config:
        """The configuration in force at the first tick; later changes are among the lines.

        Raises:
            RecordingError: It was written by a version with different parameters.
        """
        try:
            return config_of_run(self.config_text)
        except ConfigError as error:
            raise RecordingError(
                f"the configuration in {self.path} is from another version of Pliant: {error}"
            ) from None

    def _known(self, column: str) -> str:
        if column not in self.described:
            raise UnknownNameError("column", column, self.columns)
        return column
