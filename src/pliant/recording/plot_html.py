"""Plots recordings as a single HTML file that contains data and viewer, and works offline."""

import base64
import html
import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from pliant.recording.plot_decimate import decimate, intervals
from pliant.recording.plot_panels import Panel
from pliant.recording.plot_sheet import BLUE, CONTACT, VERMILION, Sheet, line_style

_MAX_POINTS = 20_000
"""Number of points per line; longer lines are decimated."""


def draw_html(sheets: Sequence[Sheet], title: str, file: Path) -> None:
    """Write an interactive page that shows the sheets in the same panels."""
    first = sheets[0]
    times: dict[str, int] = {}
    panels = [_panel(index, panel, sheets, times) for index, panel in enumerate(first.panels)]
    data = {
        "panels": panels,
        # each distinct array once: most lines share one
        "times": list(times),
        "range": [float(first.time[0]), float(max(sheet.time[-1] for sheet in sheets))],
        "contact": intervals(first.contact, first.time),
        "contactColor": CONTACT,
        "marks": [
            {"time": mark.time, "text": mark.text, "color": VERMILION if mark.fault else BLUE}
            for mark in first.marks
        ],
    }
    viewer = files("pliant.recording")
    page = (viewer / "viewer.html").read_text()
    for name, text in {
        "TITLE": html.escape(title),
        "SCRIPT": (viewer / "viewer.js").read_text(),
        # a "</" in the data could otherwise close the script element
        "DATA": json.dumps(data, ensure_ascii=False).replace("</", "<\\/"),
    }.items():
        page = page.replace(f"@{name}@", text)
    file.write_text(page)


def _panel(
    index: int, panel: Panel, sheets: Sequence[Sheet], times: dict[str, int]
) -> dict[str, Any]:
    """A panel in the viewer's format; each line refers to its time array by index in `times`."""
    lines = []
    for run, sheet in enumerate(sheets):
        for trace in sheet.panels[index].traces:
            line = line_style(sheet.panels[index], trace, run, len(sheets))
            time, values = decimate(sheet.time, trace.values, _MAX_POINTS)
            lines.append(
                {
                    "label": trace.label if len(sheets) == 1 else f"{sheet.name}: {trace.label}",
                    "color": line.color,
                    "dashes": [2 * length for length in line.dashes],
                    "time": times.setdefault(_base64(time, np.float64), len(times)),
                    "values": _base64(values, np.float32),
                }
            )
    note = f" ({panel.note})" if panel.note and len(sheets) == 1 else ""
    title = f"{panel.title}, {panel.unit}{note}"
    return {"title": title, "minHeight": panel.min_height, "lines": lines}


def _base64(values: np.ndarray, dtype: type) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype).tobytes()).decode()
