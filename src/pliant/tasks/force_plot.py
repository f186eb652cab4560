"""Force over time as a picture, with what was asked for."""

from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from pliant.numerics.spatial import Array

_BLACK, _ORANGE = "#000000", "#E69F00"


def plot_force(time: Array, force: Array, target: Array | None, file: Path, title: str) -> None:
    """Draw a force, N, over time, s, and its target if there is one."""
    matplotlib.use("Agg")
    figure = Figure(figsize=(7.0, 3.2), layout="constrained")
    ax = figure.subplots()
    ax.plot(time, force, color=_BLACK, linewidth=0.8, label="force")
    if target is not None:
        ax.plot(time, target, color=_ORANGE, linestyle="--", linewidth=1.0, label="target")
        ax.legend(loc="upper right", fontsize=8)
    ax.set_title(title, fontsize=11)
    ax.set_xlabel("time, s")
    ax.set_ylabel("force, N")
    ax.grid(alpha=0.3)
    figure.savefig(file, dpi=150)
