"""Run single trials of a sweep again, with a recording and a picture of each."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pliant.errors import ConfigError
from pliant.sweeps.sweep_report import SweepReport
from pliant.sweeps.sweep_store import read_plan, read_rows


def read_report(file: Path) -> SweepReport:
    """The report of a sweep from its file.

    Raises:
        PliantError: The file is not that of a sweep.
    """
    return SweepReport(read_plan(file), read_rows(file))


def rerun(
    file: Path, trials: Sequence[int] | None = None, folder: Path | None = None
) -> Iterator[tuple[int, dict[str, Any], Path]]:
    """Run trials again; each gives the same figures, a recording and a plot.

    Args:
        file: The sweep.
        trials: Numbers of the trials; by default all that failed.
        folder: Where to put the files; by default a folder beside the sweep.

    Yields:
        Number, figures and recording of each.
    """
    report = read_report(file)
    chosen = report.failed if trials is None else list(trials)
    known = {row["trial"] for row in report.rows}
    if unknown := [index for index in chosen if index not in known]:
        raise ConfigError(f"{file} has no trial {unknown[0]}")
    folder = folder or file.with_suffix(".trials")
    folder.mkdir(exist_ok=True)
    plan = report.plan
    for index in chosen:
        trial = plan.trial(index)
        recording = folder / f"{plan.task}-{index:06d}.mcap"
        recording.unlink(missing_ok=True)
        figures = plan.trial_task.under(plan.law)(
            trial.params, trial.seed, plan.robot,
            record=recording, plot=recording.with_suffix(".png"),
        )  # fmt: skip
        yield index, figures, recording
