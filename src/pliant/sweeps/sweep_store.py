"""The trials of a sweep on disk: one row of a Parquet file each.

While a sweep runs, finished trials are appended as small files in a folder beside the final one,
each written under another name first; so whatever ends the sweep, no file is half written. At the
end they are merged, in the order of the trials.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pliant.errors import ConfigError, PliantError
from pliant.extras import require
from pliant.sweeps.executors import Outcome
from pliant.sweeps.sweep_plan import SweepPlan

Row = dict[str, Any]

_PLAN, _COST = b"pliant_sweep", b"pliant_cpu_s"
_INDEX = "trial"


class SweepStore:
    """The file of one sweep, and the folder of its parts while it runs."""

    def __init__(self, file: Path, plan: SweepPlan) -> None:
        """Find what is there of the sweep already.

        Raises:
            MissingExtra: pyarrow is not installed.
            ConfigError: The file is not Parquet by its name, or holds another sweep.
        """
        require("parquet")
        if file.suffix != ".parquet":
            raise ConfigError(f"a sweep is written to a .parquet file, not {file.name}")
        if not file.absolute().parent.is_dir():
            raise ConfigError(f"no such folder: {file.parent}")
        self.file, self.plan = file, plan
        self._folder = file.with_name(f"{file.name}.parts")
        self._check()
        self.done = {row[_INDEX] for row in self.rows()}
        self._part = 1 + max([int(part.stem) for part in self._parts()], default=-1)

    def append(self, outcomes: Sequence[Outcome]) -> None:
        """Add finished trials."""
        new = [(trial, figures) for trial, figures in outcomes if trial.index not in self.done]
        if not new:
            return
        self._folder.mkdir(exist_ok=True)
        rows = [self._row(trial, figures) for trial, figures in new]
        cost = sum(figures["cpu_s"] for _, figures in new)
        _write(self._folder / f"{self._part:06d}.parquet", rows, self.plan, cost)
        self._part += 1
        self.done.update(trial.index for trial, _ in new)

    def merge(self) -> None:
        """Write all trials to the final file, and remove the parts."""
        parts = self._parts()
        if not parts:
            return
        cost = sum(read_cost(file) for file in self._files())
        _write(self.file, self.rows(), self.plan, cost)
        for part in parts:
            part.unlink()
        self._folder.rmdir()

    def rows(self) -> list[Row]:
        """All finished trials, in their order, each once."""
        found: dict[int, Row] = {}
        for file in self._files():
            for row in read_rows(file):
                found.setdefault(row[_INDEX], row)
        return [found[index] for index in sorted(found)]

    def _row(self, trial: Any, figures: Row) -> Row:
        kept = {name: value for name, value in figures.items() if name != "cpu_s"}
        return {_INDEX: trial.index, "seed": trial.seed, **trial.params, **kept}

    def _parts(self) -> list[Path]:
        return sorted(self._folder.glob("[0-9]*.parquet"))

    def _files(self) -> list[Path]:
        return [*([self.file] if self.file.exists() else []), *self._parts()]

    def _check(self) -> None:
        """Refuse to mix two sweeps in one file."""
        for file in self._files():
            if read_plan(file).as_json() != self.plan.as_json():
                raise ConfigError(
                    f"{self.file} holds another sweep: {_differences(read_plan(file), self.plan)}; "
                    "choose another file with --out"
                )


def read_plan(file: Path) -> SweepPlan:
    """The plan of a sweep from its file.

    Raises:
        PliantError: The file is not that of a sweep.
    """
    text = _metadata(file).get(_PLAN)
    if text is None:
        raise PliantError(f"{file} is not a sweep")
    return SweepPlan.from_json(text.decode())


def read_cost(file: Path) -> float:
    """Processor time of all its trials, s."""
    return float(_metadata(file).get(_COST, b"0"))


def read_rows(file: Path) -> list[Row]:
    """The trials of a file."""
    require("parquet")
    from pyarrow import parquet

    return parquet.read_table(file).to_pylist()


def _metadata(file: Path) -> dict[bytes, bytes]:
    require("parquet")
    from pyarrow import ArrowException, parquet

    try:
        return parquet.read_schema(file).metadata or {}
    except (OSError, ArrowException) as error:
        raise PliantError(f"cannot read {file}: {error}") from None


def _write(file: Path, rows: list[Row], plan: SweepPlan, cost: float) -> None:
    """Write rows under another name, then rename."""
    import pyarrow
    from pyarrow import parquet

    # a trial that raised has no figures
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: [row.get(name) for row in rows] for name in names}
    table = pyarrow.table(columns)
    metadata = {_PLAN: plan.as_json().encode(), _COST: repr(cost).encode()}
    written = file.with_name(f".{file.name}.{os.getpid()}")
    parquet.write_table(table.replace_schema_metadata(metadata), written)
    written.replace(file)


def _differences(one: SweepPlan, other: SweepPlan) -> str:
    a, b = json.loads(one.as_json()), json.loads(other.as_json())
    names = [name for name in ("task", "robot", "seed") if a[name] != b[name]]
    values = sorted(set(a["values"]) | set(b["values"]))
    names += [name for name in values if a["values"].get(name) != b["values"].get(name)]
    return "it differs in " + ", ".join(names)
