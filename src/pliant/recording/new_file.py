"""A new recording in the format that the name of its file says."""

from pathlib import Path
from typing import Any

from pliant.errors import RecordingError
from pliant.recording.guarded import Writer
from pliant.recording.writer import RecordingWriter

SUFFIXES = (".mcap", ".csv")
"""MCAP has everything and can be recomputed; CSV is a table of ticks for other programs."""

_EXPORTED = (".parquet", ".npz", ".npy")


def new_recording(
    file: Path,
    header: dict[str, Any],
    config: str,
    rate: float | None = None,
    columns: tuple[str, ...] = (),
) -> Writer:
    """Create a recording.

    Args:
        file: The file: .mcap or .csv.
        header: Metadata of the arm, as for a `RecordingWriter`.
        config: The configuration in force at the first tick, as YAML.
        rate: Rows per second of a CSV file; every tick if None.
        columns: Columns of a CSV file; if empty, wrenches, poses, joints and temperatures.

    Raises:
        RecordingError: The file exists already or cannot be written, or its suffix is another.
    """
    check_suffix(file)
    if file.suffix == ".csv":
        # imported here, because it takes as long as all the rest of a recorder
        from pliant.recording.csv import CsvWriter

        return CsvWriter(file, header, rate=rate, columns=columns)
    return RecordingWriter(file, header, config)


def check_suffix(file: Path) -> None:
    """Refuse a file whose name promises another format than it would get."""
    if file.suffix in SUFFIXES:
        return
    hint = "; record to .mcap, then `pliant export` writes it" if file.suffix in _EXPORTED else ""
    raise RecordingError(
        f"cannot record to {file.name}: a recording is a file {' or '.join(SUFFIXES)}{hint}"
    )
