"""The report of a sweep as a picture."""

from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pliant.sweeps.sweep_report import SweepReport, wilson

# Okabe and Ito's palette: distinguishable in print and for colour-blind readers.
_BLACK, _ORANGE, _BLUE = "#000000", "#E69F00", "#0072B2"
_MOST_COLUMNS = 6


def plot_report(report: SweepReport, file: Path) -> None:
    """Draw the share of successes by each factor, and the distribution of each figure."""
    matplotlib.use("Agg")
    factors, figures = report.plan.factors[:_MOST_COLUMNS], list(report.figures)[:_MOST_COLUMNS]
    columns = max(len(factors), len(figures), 1)
    figure = Figure(figsize=(3.2 * columns, 5.6), layout="constrained")
    axes = figure.subplots(2, columns, squeeze=False)
    for ax in axes.flat[:]:
        ax.set_visible(False)
    for ax, factor in zip(axes[0], factors, strict=False):
        _draw_factor(ax, report, factor)
    for ax, name in zip(axes[1], figures, strict=False):
        _draw_figure(ax, report, name)
    low, high = report.interval
    figure.suptitle(
        f"{report.plan.task}: {report.successes} of {report.trials}, "
        f"{100.0 * low:.1f} to {100.0 * high:.1f} % with 95 % confidence",
        fontsize=11,
    )
    figure.savefig(file, dpi=150)


def _draw_factor(ax: Axes, report: SweepReport, factor: str) -> None:
    ax.set_visible(True)
    parts = [part for part in report.by(factor) if part.trials]
    middle = [0.5 * (part.low + part.high) for part in parts]
    share = np.array([part.successes / part.trials for part in parts])
    limits = np.array([wilson(part.successes, part.trials) for part in parts])
    spread = np.abs(limits.T - share)
    ax.errorbar(middle, share, yerr=spread, color=_BLUE, marker="o", capsize=3, linewidth=1.2)
    own = report.plan.trial_task.parameters.get(factor)
    ax.set_xlabel(f"{factor}, {own.unit}" if own and own.unit else factor)
    ax.set_ylim(-0.03, 1.03)
    ax.set_ylabel("share that succeeded")
    ax.grid(alpha=0.3)


def _draw_figure(ax: Axes, report: SweepReport, name: str) -> None:
    ax.set_visible(True)
    values = [row[name] for row in report.rows if row.get(name) is not None]
    ax.hist(values, bins=30, color=_BLACK, alpha=0.7)
    ax.axvline(report.figures[name].p95, color=_ORANGE, linewidth=1.2)
    ax.text(report.figures[name].p95, 0.97, " p95", color=_ORANGE, va="top", fontsize=8,
            transform=ax.get_xaxis_transform())  # fmt: skip
    ax.set_xlabel(name)
    ax.set_ylabel("trials")
    ax.grid(alpha=0.3)
