"""Plots predicted contacts."""

from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from pliant.stability import Suggestion

# Okabe and Ito's palette, with line styles that distinguish the lines without colour.
_STYLES = (("#0072B2", "-"), ("#E69F00", "--"), ("#009E73", "-."), ("#000000", ":"))


def plot_contacts(suggestion: Suggestion, file: Path) -> None:
    """Plot the force after contact, one line per surface."""
    matplotlib.use("Agg")
    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    ax = figure.subplots()
    longest = 1.3 * max(min(c.settling, float(c.time[-1])) for c in suggestion.contacts.values())
    for (stiffness, contact), (color, style) in zip(
        suggestion.contacts.items(), _STYLES, strict=False
    ):
        label = f"{1e-3 * stiffness:.3g} N/mm"
        # a contact is predicted until it settles; extend it to the length of the plot
        time = np.append(contact.time, max(longest, contact.time[-1]))
        force = np.append(contact.force, contact.force[-1])
        ax.plot(time, force, color=color, linestyle=style, label=label)
        ax.axhline(contact.target, color="#999999", linewidth=0.8, zorder=0)
    ax.set(xlim=(0.0, longest), xlabel="time after contact, s", ylabel="force, N")
    ax.set_title(
        f"Predicted contact: D {suggestion.gains.damping:.0f} N·s/m, "
        f"M {suggestion.gains.inertia:.3g} kg, approach at up to {1e3 * suggestion.speed:g} mm/s",
        fontsize=10,
    )
    ax.legend(title="surface")
    ax.grid(alpha=0.3)
    figure.savefig(file, dpi=150)
