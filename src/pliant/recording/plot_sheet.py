"""One sheet per recording, all with the same panels, and the styles of their lines."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pliant.recording.plot_panels import Mark, Panel, Trace, contact, marks, panels
from pliant.recording.recording import Recording

# Okabe and Ito's palette without its yellow: distinguishable in print and for colour-blind readers.
BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, VERMILION, PURPLE = "#0072B2", "#D55E00", "#CC79A7"
CONTACT = "#E3E3E3"

_COMPONENTS = (BLUE, ORANGE, GREEN, VERMILION, SKY, PURPLE, BLACK)
_DASHES: tuple[tuple[float, ...], ...] = ((), (4.0, 1.5), (5.0, 1.2, 1.2, 1.2))
_TARGET_DASHES = (2.0, 1.2)

# These distinguish two compared recordings: colours in panels with one line per recording, dashes
# in panels with several.
RUN_COLORS = (BLACK, VERMILION)
RUN_DASHES = _DASHES[:2]


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """The plotted data of one recording.

    Attributes:
        name: Its name in the legend of a comparison.
        time: The time of each tick, s; counted from its first tick in a comparison.
        panels: Its panels.
        contact: Whether there is contact, at each tick.
        marks: Activations of laws, and faults.
    """

    name: str
    time: np.ndarray
    panels: list[Panel]
    contact: np.ndarray
    marks: list[Mark]


@dataclass(frozen=True, kw_only=True)
class LineStyle:
    """Colour of a line, and its dash lengths in line widths (empty for a solid line)."""

    color: str
    dashes: tuple[float, ...]


def make_sheets(
    recordings: Sequence[Recording], groups: Sequence[str], names: Sequence[str]
) -> list[Sheet]:
    """One sheet per recording, with the panels that all recordings have."""
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


def line_style(panel: Panel, trace: Trace, run: int, runs: int) -> LineStyle:
    """Style of a trace in its panel, for one of several runs."""
    index = panel.traces.index(trace)
    if has_components(panel):
        dashes = RUN_DASHES[run] if runs > 1 else _DASHES[index % len(_DASHES)]
        return LineStyle(color=_COMPONENTS[index % len(_COMPONENTS)], dashes=dashes)
    color = RUN_COLORS[run] if runs > 1 or not trace.target else VERMILION
    return LineStyle(color=color, dashes=_TARGET_DASHES if trace.target else ())


def has_components(panel: Panel) -> bool:
    """Whether the lines of a panel are components of one quantity, distinguished by colour."""
    return len(panel.traces) > 1 and not any(trace.target for trace in panel.traces)
