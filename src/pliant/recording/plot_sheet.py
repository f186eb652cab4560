"""One sheet per recording, with the same panels on each, and how their lines look."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pliant.recording.plot_panels import Mark, Panel, Trace, contact, marks, panels
from pliant.recording.recording import Recording

# Okabe and Ito's palette without its yellow: told apart by colour-blind readers and in print.
BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, VERMILION, PURPLE = "#0072B2", "#D55E00", "#CC79A7"
CONTACT = "#E3E3E3"

_COMPONENTS = (BLUE, ORANGE, GREEN, VERMILION, SKY, PURPLE, BLACK)
_DASHES: tuple[tuple[float, ...], ...] = ((), (4.0, 1.5), (5.0, 1.2, 1.2, 1.2))
_ASKED = (2.0, 1.2)

RUN_COLORS = (BLACK, VERMILION)
RUN_DASHES = _DASHES[:2]
"""Of two recordings that are compared: colours where a panel has one line of each, dashes where it
has several."""


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """What is drawn of one recording.

    Attributes:
        name: How it is called where it is compared with another.
        time: The time of each tick, s; from its first tick on where it is compared.
        panels: What is drawn.
        contact: Whether there is contact, at each tick.
        marks: What happened meanwhile.
    """

    name: str
    time: np.ndarray
    panels: list[Panel]
    contact: np.ndarray
    marks: list[Mark]


@dataclass(frozen=True, kw_only=True)
class Look:
    """How a line looks: colour, and dashes as lengths in widths of the line, none if solid."""

    color: str
    dashes: tuple[float, ...]


def make_sheets(
    recordings: Sequence[Recording], groups: Sequence[str], names: Sequence[str]
) -> list[Sheet]:
    """A sheet for each recording; with several, only the panels that all of them have."""
    all_panels = [panels(recording, groups) for recording in recordings]
    common = set.intersection(*({panel.title for panel in made} for made in all_panels))
    sheets = []
    for recording, made, name in zip(recordings, all_panels, names, strict=True):
        start = recording.time[0].item() if len(recordings) > 1 else 0.0
        sheets.append(
            Sheet(
                name=name,
                time=recording.time - start,
                panels=[panel for panel in made if panel.title in common],
                contact=contact(recording),
                marks=[replace(mark, time=mark.time - start) for mark in marks(recording)],
            )
        )
    return sheets


def look(panel: Panel, trace: Trace, run: int, runs: int) -> Look:
    """How a trace of one of several runs looks in its panel."""
    place = panel.traces.index(trace)
    if has_components(panel):
        dashes = RUN_DASHES[run] if runs > 1 else _DASHES[place % len(_DASHES)]
        return Look(color=_COMPONENTS[place % len(_COMPONENTS)], dashes=dashes)
    color = RUN_COLORS[run] if runs > 1 or not trace.asked else VERMILION
    return Look(color=color, dashes=_ASKED if trace.asked else ())


def has_components(panel: Panel) -> bool:
    """Whether the lines of a panel are components of one thing, told apart by colour."""
    return len(panel.traces) > 1 and not any(trace.asked for trace in panel.traces)
