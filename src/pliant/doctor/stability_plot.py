"""Plots the stability map and marks the present gains."""

from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from pliant.stability import MAX_OVERSHOOT, Axis, Surface, stability_map

# Okabe and Ito's palette, from light to dark so that the areas are distinguishable without colour.
_WELL_DAMPED, _RINGS, _UNSTABLE, _POINT = "#56B4E9", "#E69F00", "#5A2D0C", "#000000"


def plot_map(axis: Axis, surface: Surface, name: str, file: Path) -> None:
    """Plot where contact is well damped, where it rings, and where it is unstable.

    Args:
        axis: The axis as configured.
        surface: The expected surface.
        name: Name of the axis.
        file: PNG, PDF or SVG file to write.
    """
    matplotlib.use("Agg")
    axis = axis.on(surface)
    found = stability_map(axis, surface)
    figure = Figure(figsize=(6.4, 4.8), layout="constrained")
    ax = figure.subplots()
    grid = (found.damping, 1e-3 * found.stiffness)
    # logarithmic, so that the interpolated limit between two grid points is accurate
    overshoot = np.log10(np.clip(found.overshoot, 1e-3, 1e3))
    ax.contourf(
        *grid, overshoot, [-4.0, np.log10(MAX_OVERSHOOT), 4.0], colors=[_WELL_DAMPED, _RINGS]
    )
    ax.contourf(*grid, found.growth, [0.0, np.inf], colors=[_UNSTABLE])
    ax.plot(axis.gains.damping, 1e-3 * surface.stiffness, marker="*", markersize=18, color="white",
            markeredgecolor=_POINT, linestyle="")  # fmt: skip
    ax.annotate("now", (axis.gains.damping, 1e-3 * surface.stiffness), xytext=(12, 8),
                textcoords="offset points", color=_POINT, fontsize=10,
                bbox={"boxstyle": "round", "facecolor": "white", "alpha": 0.7})  # fmt: skip
    ax.set(xscale="log", yscale="log", xlabel="damping D, N·s/m", ylabel="surface stiffness, N/mm")
    for side in (ax.xaxis, ax.yaxis):
        side.set_major_formatter("{x:g}")
    ratio = axis.gains.inertia / axis.gains.damping
    ax.set_title(
        f"Contact along {name}: lag {1e3 * axis.servo.lag:.3g} ms, filter {axis.cutoff:g} Hz, "
        f"M/D {1e3 * ratio:.3g} ms",
        fontsize=10,
    )
    shades = {"well damped": _WELL_DAMPED, "rings": _RINGS, "unstable": _UNSTABLE}
    ax.legend(handles=[Patch(color=c, label=text) for text, c in shades.items()], loc="lower right")
    ax.grid(which="major", alpha=0.3)
    figure.savefig(file, dpi=150)
