"""Exports recordings for other programs: CSV, Parquet, NumPy."""

import csv
import json
from collections.abc import Iterator, Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.recfunctions import repack_fields

from pliant.errors import RecordingError
from pliant.extras import require
from pliant.recording.csv import flat_names
from pliant.recording.recording import Recording

FORMATS = (".csv", ".parquet", ".npz", ".npy")


def export(
    recording: Recording, file: Path, *, columns: Sequence[str] = (), every: int = 1
) -> None:
    """Write ticks to a file in the format given by its suffix.

    `.csv` and `.parquet` have one column per element, `q` as `q_0`, `q_1`, …; Parquet stores the
    units in its fields. `.npz` has one array per column, and their units as JSON in `units`; `.npy`
    is one structured array.

    Args:
        recording: The recording.
        file: The file to write.
        columns: Columns to write, in this order; all if empty.
        every: Write every n-th tick.

    Raises:
        RecordingError: The suffix is not supported, or the file cannot be written.
        UnknownNameError: There is no such column; the error lists similar names.
    """
    if every < 1:
        raise RecordingError(f"the step between exported ticks must be at least 1, not {every}")
    names = list(dict.fromkeys(columns)) or recording.columns
    units = {name: recording.unit(name) for name in names}
    rows = recording.rows[names][::every]
    try:
        if file.suffix == ".npy":
            np.save(file, repack_fields(rows))
        elif file.suffix == ".npz":
            arrays: dict[str, Any] = {name: rows[name] for name in names}
            np.savez_compressed(file, units=np.array(json.dumps(units)), **arrays)
        elif file.suffix == ".csv":
            _write_csv(rows, file)
        elif file.suffix == ".parquet":
            _write_parquet(recording, rows, file)
        else:
            raise RecordingError(
                f"cannot export {file.name}: its suffix must be one of {', '.join(FORMATS)}"
            )
    except OSError as error:
        raise RecordingError(f"cannot write {file}: {error.strerror or error}") from None


def flat(rows: np.ndarray) -> Iterator[tuple[str, str, np.ndarray]]:
    """Flatten columns into one per element: yields its name, its original column, its values."""
    for name in rows.dtype.names or ():
        values = rows[name]
        if values.dtype == np.uint8:
            yield name, name, _decoded(values)
            continue
        # without a tick the size of a row cannot be inferred
        elements = values.reshape(len(values), prod(values.shape[1:])).T
        for flat_name, element in zip(flat_names(name, rows.dtype[name]), elements, strict=True):
            yield flat_name, name, element


def _write_csv(rows: np.ndarray, file: Path) -> None:
    columns = [(name, values.tolist()) for name, _, values in flat(rows)]
    with file.open("w", newline="") as text:
        lines = csv.writer(text, lineterminator="\n")
        lines.writerow([name for name, _ in columns])
        lines.writerows(zip(*(values for _, values in columns), strict=True))


def _write_parquet(recording: Recording, rows: np.ndarray, file: Path) -> None:
    require("parquet")
    import pyarrow
    from pyarrow import parquet

    fields, arrays = [], []
    for name, column, values in flat(rows):
        array = pyarrow.array(values)
        metadata = {"unit": recording.unit(column), "meaning": recording.described[column].doc}
        fields.append(pyarrow.field(name, array.type, metadata=metadata))
        arrays.append(array)
    metadata = {"pliant": json.dumps(recording.header), "config": recording.config_text}
    schema = pyarrow.schema(fields, metadata=metadata)
    parquet.write_table(pyarrow.table(arrays, schema=schema), file, compression="zstd")


def _decoded(values: np.ndarray) -> np.ndarray:
    """Decode rows of zero-padded bytes."""
    cache: dict[bytes, str] = {}
    texts = []
    for row in values:
        data = row.tobytes()
        if data not in cache:
            cache[data] = data.rstrip(b"\0").decode(errors="replace")
        texts.append(cache[data])
    return np.array(texts, dtype=object)
