"""Plots recordings with matplotlib: PNG, PDF, SVG."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from pliant.recording.plot_decimate import decimate, intervals
from pliant.recording.plot_panels import Mark, Panel
from pliant.recording.plot_sheet import (
    BLUE,
    CONTACT,
    RUN_COLORS,
    RUN_DASHES,
    VERMILION,
    LineStyle,
    Sheet,
    has_components,
    line_style,
)

_WIDTH = 8.27
"""Width of a page, inch."""
_ROW = 1.42
"""Height of a row of panels, inch."""
_MAX_LETTERS = 24
"""Number of letters that fit along the height of a panel."""
_MAX_POINTS = 6000
"""Number of points per line that a page can resolve."""

_STYLE: Any = {
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.5,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "legend.columnspacing": 0.8,
    "legend.handletextpad": 0.4,
    "legend.borderaxespad": 0.1,
}


def draw_figure(sheets: Sequence[Sheet], title: str, file: Path) -> None:
    """Draw the sheets in the same panels, to a file in one of matplotlib's formats."""
    matplotlib.use("Agg")
    count = len(sheets[0].panels)
    rows = -(-count // 2)
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(_WIDTH, _ROW * rows + 0.7), layout="constrained")
        figure.suptitle(title, fontsize=9.5, x=0.01, ha="left")
        axes = _axes(figure, count, rows)
        for index, ax in enumerate(axes):
            _draw_panel(ax, index, sheets)
        if key := _key(sheets):
            figure.legend(handles=key, loc="outside lower left", ncols=6)
        figure.savefig(file, dpi=160)


def _axes(figure: Figure, count: int, rows: int) -> list[Axes]:
    """Two panels per row with a common time axis; an odd last panel spans a whole row."""
    grid = figure.add_gridspec(rows, 2)
    axes: list[Axes] = []
    for index in range(count):
        alone = index == count - 1 and index % 2 == 0
        cell = grid[index // 2, :] if alone else grid[index // 2, index % 2]
        ax = figure.add_subplot(cell, sharex=axes[0] if axes else None)
        in_last_row = index // 2 == rows - 1
        ax.tick_params(labelbottom=in_last_row)
        if in_last_row:
            ax.set_xlabel("time, s")
        axes.append(ax)
    return axes


def _draw_panel(ax: Axes, index: int, sheets: Sequence[Sheet]) -> None:
    panel = sheets[0].panels[index]
    notes = dict.fromkeys(sheet.panels[index].note for sheet in sheets)
    ax.set_title(", ".join([panel.title, *filter(None, notes)]))
    ax.set_ylabel(panel.unit)
    ax.margins(x=0.0)
    for start, end in intervals(sheets[0].contact, sheets[0].time):
        ax.axvspan(start, end, color=CONTACT, linewidth=0, zorder=0)
    for mark in sheets[0].marks:
        _draw_mark(ax, mark, named=index == 0)
    for run, sheet in enumerate(sheets):
        for trace in sheet.panels[index].traces:
            time, values = decimate(sheet.time, trace.values, _MAX_POINTS)
            line = line_style(sheet.panels[index], trace, run, len(sheets))
            ax.plot(time, values, color=line.color, linestyle=_style(line), linewidth=_width(panel))
    _ensure_height(ax, panel.min_height)
    if has_components(panel):
        _name_components(ax, panel, len(sheets))


def _ensure_height(ax: Axes, min_height: float) -> None:
    """Extend the y axis symmetrically to a minimum height."""
    low, high = ax.get_ylim()
    missing = max(0.0, min_height - (high - low))
    ax.set_ylim(low - 0.5 * missing, high + 0.5 * missing)


def _draw_mark(ax: Axes, mark: Mark, *, named: bool) -> None:
    color = VERMILION if mark.fault else BLUE
    ax.axvline(mark.time, color=color, linewidth=1.2 if mark.fault else 0.6, zorder=1)
    if named:
        note = ax.annotate(
            _shortened(mark.text), (mark.time, 0.97), xycoords=ax.get_xaxis_transform(),
            xytext=(2, 0), textcoords="offset points", rotation=270, va="top", ha="left",
            color=color, fontsize=6, annotation_clip=True, clip_on=True,
        )  # fmt: skip
        note.set_in_layout(False)


def _name_components(ax: Axes, panel: Panel, runs: int) -> None:
    handles = [_line(line_style(panel, trace, 0, runs), trace.label) for trace in panel.traces]
    ax.legend(
        handles=handles,
        ncols=len(handles),
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        handlelength=1.7 if len(handles) <= 3 else 1.0,
        columnspacing=0.8 if len(handles) <= 3 else 0.5,
        handletextpad=0.4 if len(handles) <= 3 else 0.3,
    )


def _key(sheets: Sequence[Sheet]) -> list[Artist]:
    """Legend entries that hold for all panels."""
    handles: list[Artist] = []
    panels = sheets[0].panels
    compared = len(sheets) > 1
    for run, sheet in enumerate(sheets if compared else ()):
        dashes = RUN_DASHES[run] if any(map(has_components, panels)) else ()
        handles.append(_line(LineStyle(color=RUN_COLORS[run], dashes=dashes), sheet.name))
    with_target = [panel for panel in panels if any(trace.target for trace in panel.traces)]
    for trace in with_target[0].traces if with_target else ():
        if trace.target or not compared:
            handles.append(_line(line_style(with_target[0], trace, 0, len(sheets)), trace.label))
    if np.any(sheets[0].contact):
        name = f" ({sheets[0].name})" if compared else ""
        handles.append(Patch(color=CONTACT, label=f"in contact{name}"))
    return handles


def _line(line: LineStyle, label: str) -> Line2D:
    return Line2D([], [], color=line.color, linestyle=_style(line), linewidth=1.2, label=label)


def _style(line: LineStyle) -> Any:
    return (0.0, line.dashes) if line.dashes else "-"


def _width(panel: Panel) -> float:
    return 1.1 if has_components(panel) else 0.9


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_LETTERS else f"{text[: _MAX_LETTERS - 1]}…"
