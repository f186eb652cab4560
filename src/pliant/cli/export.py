"""Write a recording for other programs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pliant.recording import load
from pliant.recording.formats import export


@dataclass
class ExportOptions:
    """What is written, and where to."""

    file: tyro.conf.Positional[Path]
    """The recording."""
    out: tyro.conf.Positional[Path]
    """The file to write: .csv, .parquet, .npz or .npy."""
    columns: tuple[str, ...] = ()
    """Which columns, in this order; all if none are named. `pliant columns` lists them."""
    every: int = 1
    """Write every so many ticks one."""


def write(options: Annotated[ExportOptions, tyro.conf.arg(name="")]) -> None:
    """Write a recording as CSV, Parquet or NumPy, all columns or some, every tick or fewer."""
    export(load(options.file), options.out, columns=options.columns, every=options.every)
    print(f"written: {options.out}")


VERB = write
