"""Draw a recording."""

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
    """What is drawn, and where to."""

    files: tyro.conf.Positional[tuple[Path, ...]]
    """The recording; two with --compare."""
    compare: bool = False
    """Draw two recordings over one another, each from its own start."""
    out: Path | None = None
    """The picture: .png, .pdf, .svg, or .html to zoom in; if not given, FILE with .png."""
    show: tuple[str, ...] = tuple(GROUPS)
    """Which groups of plots: contact, wrench, command, joints, torque, temperature, lateness."""


def draw(options: Annotated[PlotOptions, tyro.conf.arg(name="")]) -> None:
    """Draw force, compliant offset, wrench, joints, torques, temperatures and lateness over time.

    Times in contact are shaded.
    """
    wanted = 2 if options.compare else 1
    if len(options.files) != wanted:
        raise RecordingError(
            f"{len(options.files)} recordings given: pliant plot takes one, or two with --compare"
        )
    out = options.out or options.files[0].with_suffix(FORMATS[0])
    plot([load(file) for file in options.files], out, groups=options.show)
    print(f"plot: {out}")


VERB = draw
