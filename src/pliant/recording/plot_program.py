"""The plotter program: plots a recording in a separate process."""

from pathlib import Path
from typing import Any

from pliant.processes import Parent
from pliant.recording.plot_file import plot
from pliant.recording.reader import load


def main(options: dict[str, Any], parent: Parent) -> None:
    """Plot a recording.

    Args:
        options: The `recording` to plot and the `picture` to write.
        parent: The parent process.

    Raises:
        RecordingError: The recording cannot be read or plotted.
    """
    plot([load(options["recording"])], Path(options["picture"]))
    parent.ready()
