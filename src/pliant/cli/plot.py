"""Plot a recording."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pliant.errors import RecordingError
from pliant.recording import load
from pliant.recording.plot_file import FORMATS, plot
from pliant.recording.plot_panels import GROUPS


@dataclass
class PlotOptions:
    """Options of `pliant plot`."""

    files: tyro.conf.Positional[tuple[Path, ...]]
    """The recording; two with --compare."""
    compare: bool = False
    """Plot two recordings in the same panels, each from its own start."""
    out: Path | None = None
    """The file to write: .png, .pdf, .svg, or .html to zoom; by default FILE.png."""
    show: tuple[str, ...] = tuple(GROUPS)
    """Groups of plots: contact, wrench, command, joints, torque, temperature, lateness."""


def run_plot(options: Annotated[PlotOptions, tyro.conf.arg(name="")]) -> None:
    """Plot force, compliant offset, wrench, joints, torques, temperatures and lateness over time.

    Contact is shaded.
    """
    expected = 2 if options.compare else 1
    if len(options.files) != expected:
        raise RecordingError(
            f"{len(options.files)} recordings given: pliant plot takes one, or two with --compare"
        )
    out = options.out or options.files[0].with_suffix(FORMATS[0])
    plot([load(file) for file in options.files], out, groups=options.show)
    print(f"plot: {out}")


VERB = run_plot
