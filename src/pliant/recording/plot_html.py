"""Recordings in the browser: one file with data and viewer in it, which needs no network."""

import base64
import html
import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from pliant.recording.plot_panels import Panel
from pliant.recording.plot_sheet import BLUE, CONTACT, VERMILION, Sheet, look
from pliant.recording.plot_thin import stretches, thin

_MOST = 20_000
"""Points of a line; of a longer one the lowest and highest of every stretch are kept."""


def draw_html(sheets: Sequence[Sheet], title: str, file: Path) -> None:
    """Write a page that shows the sheets over one another, to be zoomed and read off."""
    first = sheets[0]
    times: dict[str, int] = {}
    panels = [_panel(place, panel, sheets, times) for place, panel in enumerate(first.panels)]
    data = {
        "panels": panels,
        # most lines share theirs
        "times": list(times),
        "range": [float(first.time[0]), float(max(sheet.time[-1] for sheet in sheets))],
        "contact": stretches(first.contact, first.time),
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
        # within a script only this could end it
        "DATA": json.dumps(data, ensure_ascii=False).replace("</", "<\\/"),
    }.items():
        page = page.replace(f"@{name}@", text)
    file.write_text(page)


def _panel(
    place: int, panel: Panel, sheets: Sequence[Sheet], times: dict[str, int]
) -> dict[str, Any]:
    """A panel as the viewer takes it; times are kept apart, a line has the number of its own."""
    lines = []
    for run, sheet in enumerate(sheets):
        for trace in sheet.panels[place].traces:
            line = look(sheet.panels[place], trace, run, len(sheets))
            time, values = thin(sheet.time, trace.values, _MOST)
            lines.append(
                {
                    "label": trace.label if len(sheets) == 1 else f"{sheet.name}: {trace.label}",
                    "color": line.color,
                    "dashes": [2 * length for length in line.dashes],
                    "time": times.setdefault(_packed(time, np.float64), len(times)),
                    "values": _packed(values, np.float32),
                }
            )
    note = f" ({panel.note})" if panel.note and len(sheets) == 1 else ""
    title = f"{panel.title}, {panel.unit}{note}"
    return {"title": title, "least": panel.least, "lines": lines}


def _packed(values: np.ndarray, dtype: type) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype).tobytes()).decode()
