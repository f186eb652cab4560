"""Plots recordings: `plot([recording], "run.png")`."""

from collections.abc import Sequence
from pathlib import Path

from pliant.errors import RecordingError
from pliant.extras import require
from pliant.recording.plot_panels import GROUPS
from pliant.recording.plot_sheet import make_sheets
from pliant.recording.recording import Recording

FORMATS = (".png", ".pdf", ".svg", ".html")


def plot(
    recordings: Sequence[Recording],
    file: Path,
    *,
    groups: Sequence[str] = tuple(GROUPS),
    names: Sequence[str] = (),
    title: str = "",
) -> None:
    """Plot one recording, or two in the same panels, to a PNG, PDF, SVG or HTML file.

    Args:
        recordings: The recordings.
        file: The file to write; its suffix selects the format. An HTML file works offline.
        groups: Groups of panels: contact, wrench, command, joints, torque, temperature, lateness.
        names: Names of the recordings in the legend; by default those of their files.
        title: Title of the figure; by default file, arm, duration and rate.

    Raises:
        RecordingError: The file cannot be written, or there is nothing to plot.
        MissingExtra: matplotlib is not installed; HTML does not need it.
        UnknownNameError: There is no such group.
    """
    if file.suffix not in FORMATS:
        raise RecordingError(
            f"cannot plot to {file.name}: its suffix must be one of {', '.join(FORMATS)}"
        )
    for recording in recordings:
        if not len(recording):
            raise RecordingError(f"{recording.path} has no ticks to plot")
    sheets = make_sheets(recordings, groups, names or [r.path.stem for r in recordings])
    if not sheets[0].panels:
        raise RecordingError(f"the recording has no data for {', '.join(groups)}")
    if file.suffix == ".html":
        from pliant.recording.plot_html import draw_html as draw
    else:
        require("plot")
        from pliant.recording.plot_figure import draw_figure as draw
    try:
        draw(sheets, title or _title(recordings), file)
    except OSError as error:
        raise RecordingError(f"cannot write {file}: {error.strerror}") from None


def _title(recordings: Sequence[Recording]) -> str:
    first = recordings[0]
    files = " and ".join(dict.fromkeys(recording.path.name for recording in recordings))
    seconds = first.time[-1] - first.time[0]
    return f"{files}: {first.header['spec']}, {seconds:.1f} s at {1 / first.header['dt']:.0f} Hz"
