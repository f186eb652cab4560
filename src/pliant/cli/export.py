"""Export a recording for other programs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pliant.recording import load
from pliant.recording.formats import export


@dataclass
class ExportOptions:
    """Options of `pliant export`."""

    file: tyro.conf.Positional[Path]
    """The recording."""
    out: tyro.conf.Positional[Path]
    """The file to write: .csv, .parquet, .npz or .npy."""
    columns: tuple[str, ...] = ()
    """Columns to write, in this order; by default all. `pliant columns` lists them."""
    every: int = 1
    """Write every n-th tick."""


def run_export(options: Annotated[ExportOptions, tyro.conf.arg(name="")]) -> None:
    """Export a recording to CSV, Parquet or NumPy."""
    export(load(options.file), options.out, columns=options.columns, every=options.every)
    print(f"written: {options.out}")


VERB = run_export
