"""Columns of ticks as a pandas table, and as a plot."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from pliant.errors import ConfigError
from pliant.extras import require
from pliant.tick import Tick, columns

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

_STYLES = ("-", "--", ":", "-.")
_LINEAR = 3
"""A wrench, twist or pose has its linear part in the first three elements."""

_ELEMENTS = {
    ("N, N·m", 6): ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz"),
    ("m/s, rad/s", 6): ("vx", "vy", "vz", "wx", "wy", "wz"),
    ("m, rad", 6): ("x", "y", "z", "rx", "ry", "rz"),
    ("m, 1", 7): ("x", "y", "z", "qw", "qx", "qy", "qz"),
}
"""What the elements of a column are called, by its unit and their number."""


class Columns(Protocol):
    """Columns over time, by name: a history or a recording."""

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        ...

    def __getitem__(self, name: str, /) -> np.ndarray:
        """A column over all ticks."""
        ...


class _Curve(NamedTuple):
    """One element of a column over time."""

    label: str
    element: str
    unit: str
    style: str
    values: np.ndarray


def to_pandas(rows: Columns, names: Sequence[str]) -> "pandas.DataFrame":
    """The columns as a table indexed by time, one column per element."""
    require("pandas")
    import pandas

    flat: dict[str, np.ndarray] = {}
    for name in names or [name for name in rows.columns if name != "time"]:
        values = rows[name]
        for index in product(*(range(size) for size in values.shape[1:])):
            flat["_".join([name, *map(str, index)])] = values[(slice(None), *index)]
    return pandas.DataFrame(flat, index=pandas.Index(rows["time"], name="time"))


def plot_columns(rows: Columns, names: Sequence[str], since: float, to: float) -> "Figure":
    """The columns between two times in one figure, a panel for each unit."""
    if not names:
        raise ConfigError('name the columns to plot, as in plot("w_T", "w_desired_T")')
    panels: dict[str, list[_Curve]] = {}
    for curve in _curves(rows, names):
        panels.setdefault(curve.unit, []).append(curve)
    require("plot")
    from matplotlib import pyplot

    size = (9.0, 1.0 + 2.4 * len(panels))
    figure, axes = pyplot.subplots(
        len(panels), sharex=True, squeeze=False, figsize=size, layout="constrained"
    )
    time = rows["time"]
    shown = (time >= since) & (time <= to)
    for (unit, curves), panel in zip(panels.items(), axes[:, 0], strict=True):
        _draw(panel, time, curves, unit, shown)
    axes[-1, 0].set_xlabel("time, s")
    return figure


def _draw(panel: Any, time: np.ndarray, curves: list[_Curve], unit: str, shown: np.ndarray) -> None:
    colours: dict[str, str] = {}
    for curve in curves:
        # the same element of each column has the same colour
        colour = colours.setdefault(curve.element, f"C{len(colours) % 10}")
        y = curve.values[shown]
        panel.plot(time[shown], y, curve.style, color=colour, label=curve.label, linewidth=1.2)
    panel.set_ylabel(unit)
    panel.grid(alpha=0.3)
    panel.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small")


def _curves(rows: Columns, names: Sequence[str]) -> Iterator[_Curve]:
    units = {name: declared.unit for name, declared, _ in columns(Tick)}
    for i, name in enumerate(names):
        values = rows[name].reshape(len(rows["time"]), -1)
        parts = units.get(name, "").split(", ")
        size = values.shape[1]
        elements = _ELEMENTS.get((units.get(name, ""), size)) or [f"[{j}]" for j in range(size)]
        for j, element in enumerate(elements):
            label = name if size == 1 else f"{name} {element}".replace(" [", "[")
            unit = parts[min(j // _LINEAR, len(parts) - 1)]
            yield _Curve(label, element, unit, _style(i), values[:, j])


def index_text(index: object) -> str:
    """An index as it is written in brackets: -1, 0:5."""
    if not isinstance(index, slice):
        return str(index)
    ends = ["" if end is None else str(end) for end in (index.start, index.stop)]
    return ":".join(ends if index.step is None else [*ends, str(index.step)])


def _style(number: int) -> str:
    return _STYLES[number % len(_STYLES)]
