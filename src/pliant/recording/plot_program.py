"""The plotter program: draws one recording, apart from the program that wants the picture."""

from pathlib import Path
from typing import Any

from pliant.processes import Parent
from pliant.recording.plot_file import plot
from pliant.recording.reader import load


def main(options: dict[str, Any], parent: Parent) -> None:
    """Draw a recording.

    Args:
        options: The `recording` and the `picture` to make.
        parent: The program that wants it.

    Raises:
        RecordingError: It cannot be read or drawn.
    """
    plot([load(options["recording"])], Path(options["picture"]))
    parent.ready()
