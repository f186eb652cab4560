"""An insertion as a picture: contact force and compliant offset over time."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pliant.loop.history import History
from pliant.tasks.insertion.insertion_result import CONTACT_FORCE, InsertionResult
from pliant.tasks.insertion.strategy import Phase

Run = tuple[History, dict[Phase, float], InsertionResult]
"""The past of the arm, when each phase began, and what came of it."""

# Okabe and Ito's palette: distinguishable in print and for colour-blind readers.
_BLACK, _ORANGE, _BLUE, _GREEN = "#000000", "#E69F00", "#0072B2", "#009E73"
_CONTACT = "#DDDDDD"
_TITLES = {
    "hybrid_admittance": "Compliant",
    "hybrid_force": "Compliant",
    "position": "Position control",
}
_LIMIT = 15.0


def plot_insertions(runs: Sequence[Run], file: Path) -> None:
    """Draw one column of plots per run; forces share their scale, so that they compare."""
    matplotlib.use("Agg")
    figure = Figure(figsize=(5.5 * len(runs) + 0.5, 5.2), layout="constrained")
    axes = figure.subplots(2, len(runs), squeeze=False, sharey="row", sharex="col")
    for column, (history, phases, result) in zip(axes.T, runs, strict=True):
        for ax in column:
            _mark_contact(ax, history)
        _draw_force(column[0], history, result)
        _draw_offset(column[1], history)
        _mark_phases(column[0], phases)
    axes[0, 0].set_ylabel("force on the fixture, N")
    axes[1, 0].set_ylabel("compliant offset, mm")
    axes[1, 0].legend(loc="upper left", fontsize=8)
    figure.savefig(file, dpi=150)


def _draw_force(ax: Axes, history: History, result: InsertionResult) -> None:
    ax.plot(history["time"], history["true_f_peak"], color=_BLACK, linewidth=0.8)
    ax.axhline(_LIMIT, color=_ORANGE, linestyle="--", linewidth=1.0)
    ax.text(0.995, _LIMIT, f"{_LIMIT:g} N", color=_ORANGE, ha="right", va="bottom",
            transform=ax.get_yaxis_transform(), fontsize=8)  # fmt: skip
    outcome = "seated" if result.seated else "not seated"
    title = _TITLES.get(result.law, result.law)
    ax.set_title(f"{title}: peak {result.peak_force_n:.1f} N, {outcome}", fontsize=11)
    ax.grid(alpha=0.3)


def _draw_offset(ax: Axes, history: History) -> None:
    """How far the commanded pose is from the reference, along the axes of the tool."""
    offset = -1e3 * history["e_T"][:, :3]
    offset[history["law"] < 0] = np.nan
    styles = ((_BLUE, "-", "x"), (_GREEN, "--", "y"), (_ORANGE, "-.", "z, into the hole"))
    for values, (color, style, label) in zip(offset.T, styles, strict=True):
        ax.plot(history["time"], values, color=color, linestyle=style, label=label, linewidth=1.4)
    ax.set_xlabel("time, s")
    ax.grid(alpha=0.3)


def _mark_contact(ax: Axes, history: History) -> None:
    """Shade the time in contact."""
    touching = np.linalg.norm(history["true_f_fixture_W"], axis=1) > CONTACT_FORCE
    ax.fill_between(
        history["time"], 0, 1, where=touching.tolist(), color=_CONTACT, linewidth=0,
        transform=ax.get_xaxis_transform(), zorder=0, label="in contact",
    )  # fmt: skip


def _mark_phases(ax: Axes, phases: dict[Phase, float]) -> None:
    for phase, time in phases.items():
        ax.axvline(time, color=_BLUE, linewidth=0.6, alpha=0.6)
        ax.text(time, 0.98, f" {phase.value}", rotation=90, va="top", ha="left", fontsize=7,
                color=_BLUE, transform=ax.get_xaxis_transform())  # fmt: skip
