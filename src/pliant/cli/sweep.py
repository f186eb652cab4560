"""Try a task many times, over ranges of its parameters."""

import json
import sys
from pathlib import Path
from typing import Any

import tyro
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pliant.cli.arm_options import check_plot_file
from pliant.cli.trial_verb import assignment, option, verb_of
from pliant.errors import ConfigError
from pliant.sweeps.rerun import read_report, rerun
from pliant.sweeps.run_sweep import check_sweep, sweep
from pliant.sweeps.sweep_report import SweepReport
from pliant.tasks.trial_task import TrialTask
from pliant.tasks.trial_tasks import TRIAL_TASKS

_COMMON: dict[str, tuple[Any, Any]] = {
    "trials": option(int, 100, "Number of trials."),
    "seed": option(int, 0, "Seed of the sweep; a trial depends on it and on its number alone."),
    "out": option(
        Path, Path("sweep.parquet"),
        "The file: one row a trial. What it holds already is not run again.",
    ),
    "robot": option(str | None, None, "The simulated arm; by default that of the task."),
    "workers": option(int | None, None, "Processes on this machine; by default one per core."),
    "ray": option(
        str | None, None,
        "Run on the Ray cluster at this address instead; local starts one on this machine.",
    ),
    "set": option(
        tuple[str, ...], (),
        "More parameters, as in plan.press=3..8 or law.contact_peak=6,8: figures of the strategy, "
        "or gains of the law.",
    ),
    "plot": option(Path | None, None, "Draw the report to this PNG, PDF or SVG file."),
    "json": option(bool, False, "Print the report as one JSON object."),
}  # fmt: skip


_NOTE = (
    "Each parameter is a number, a range to draw from, as in 0..20, or values to go through, as "
    "in 1,2,5."
)


def _run(task: TrialTask, options: Any) -> None:
    check_plot_file(options.plot)
    values = {name: getattr(options, name) for name in task.parameters}
    values |= dict(assignment(text) for text in options.set)
    law = getattr(options, "law", None)
    check_sweep(
        task.name, trials=options.trials, seed=options.seed, robot=options.robot, law=law,
        values=values,
    )  # fmt: skip
    with _progress(options.json) as bar:
        line = bar.add_task("trials", total=options.trials, good="")

        def show(done: int, total: int, good: int) -> None:
            bar.update(line, completed=done, total=total, good=f"{good} succeeded")

        try:
            report = sweep(
                task.name, trials=options.trials, seed=options.seed, out=options.out,
                robot=options.robot, law=law, workers=options.workers, ray=options.ray,
                on_progress=show, **values,
            )  # fmt: skip
        except KeyboardInterrupt:
            bar.stop()
            print(f"interrupted; the same command continues {options.out}", file=sys.stderr)
            raise
    _print(report, options.out, options.plot, as_json=options.json)


def _progress(quiet: bool) -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TextColumn("{task.fields[good]}"), TimeRemainingColumn(),
        console=Console(stderr=True, quiet=quiet),
    )  # fmt: skip


def _print(report: SweepReport, file: Path, plot: Path | None, *, as_json: bool) -> None:
    if plot:
        report.plot(plot)
    if as_json:
        print(json.dumps(report.as_dict()))
        return
    console = Console()
    for table in report.tables():
        console.print(table)
    console.print(f"trials: {file}" + (f", plot: {plot}" if plot else ""))
    if report.failed:
        console.print(f"run the failed ones again: pliant sweep rerun {file}")


def _law(task: TrialTask) -> dict[str, tuple[Any, Any]]:
    """The option of the law, if the task runs under several."""
    if not task.laws:
        return {}
    return {"law": option(str | None, None, f"The active law: {', '.join(task.laws)}.")}


def run_report(
    file: tyro.conf.Positional[Path], plot: Path | None = None, json: bool = False
) -> None:
    """Report on a sweep: successes with their confidence, distributions, both by factor.

    Args:
        file: The .parquet file.
        plot: Draw it to this PNG, PDF or SVG file.
        json: Print one JSON object.
    """
    check_plot_file(plot)
    _print(read_report(file), file, plot, as_json=json)


def run_rerun(
    file: tyro.conf.Positional[Path],
    failed: bool = False,
    trials: tuple[int, ...] = (),
    folder: Path | None = None,
) -> None:
    """Run trials of a sweep again, each with a recording and a plot.

    Args:
        file: The .parquet file.
        failed: Those that did not succeed; so it is if none are named.
        trials: The numbers of the trials.
        folder: Where to put recordings and plots; by default beside the sweep.
    """
    if failed and trials:
        raise ConfigError("--failed or --trials, not both")
    for index, figures, recording in rerun(file, trials or None, folder):
        note = figures.get("note", "")
        print(f"trial {index}: {note}  {recording}")


VERB = {
    **{
        name: verb_of(task, _run, {**_COMMON, **_law(task)}, _NOTE, ranges=True)
        for name, task in TRIAL_TASKS.items()
    },
    "report": run_report,
    "rerun": run_rerun,
}
