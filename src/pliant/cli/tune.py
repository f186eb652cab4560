"""Find parameters of a task by trials, and test them on others."""

import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pliant.cli.trial_verb import assignment, option, verb_of
from pliant.sweeps.run_tune import check_tune, tune
from pliant.sweeps.tune_report import Candidate, Statistic
from pliant.tasks.trial_task import TrialTask
from pliant.tasks.trial_tasks import TRIAL_TASKS

_COMMON: dict[str, tuple[Any, Any]] = {
    "search": option(
        tuple[str, ...], (),
        "What to choose, each with its range: law.contact_peak=4..16, plan.press=3..8.",
    ),
    "objective": option(str, "", "The figure of the task that is to be small."),
    "statistic": option(Statistic, "mean", "What of it over the trials."),
    "candidates": option(int, 40, "How many sets of values to try."),
    "trials": option(int, 20, "Training trials of each set."),
    "held_out": option(int, 50, "Trials of the set found that the search has not seen."),
    "seed": option(int, 0, "Seed of the training trials and of the search."),
    "robot": option(str | None, None, "The simulated arm; by default that of the task."),
    "workers": option(int | None, None, "Processes on this machine; by default one per core."),
    "ray": option(str | None, None, "Run on the Ray cluster at this address instead."),
    "set": option(
        tuple[str, ...], (), "More parameters, as in plan.press=3..8 or law.wrench_rate=30."
    ),
    "out": option(Path | None, None, "Write the report to this JSON file."),
    "json": option(bool, False, "Print the report as one JSON object."),
}  # fmt: skip


_NOTE = (
    "Other parameters are a number, a range to draw from, as in 0..20, or values to go through, as "
    "in 1,2,5."
)


def _run(task: TrialTask, options: Any) -> None:
    values = {name: getattr(options, name) for name in task.parameters}
    values |= dict(assignment(text) for text in options.set)
    search = dict(assignment(text) for text in options.search)
    for name in search:
        values.pop(name, None)
    check_tune(
        task.name, search=search, objective=options.objective, statistic=options.statistic,
        counts=(options.candidates, options.trials, options.held_out), seed=options.seed,
        robot=options.robot, values=values,
    )  # fmt: skip
    with _progress(options.json) as bar:
        line = bar.add_task("candidates", total=options.candidates, best="")

        def show(tried: int, total: int, best: Candidate) -> None:
            failures, value = best.score
            text = f"best: {failures} failed, {options.objective} {value:.4g}"
            bar.update(line, completed=tried, total=total, best=text)

        report = tune(
            task.name, search=search, objective=options.objective, statistic=options.statistic,
            candidates=options.candidates, trials=options.trials, held_out=options.held_out,
            seed=options.seed, robot=options.robot, workers=options.workers, ray=options.ray,
            on_progress=show, **values,
        )  # fmt: skip
    if options.out:
        options.out.write_text(json.dumps(report.as_dict(), indent=2) + "\n")
    if options.json:
        print(json.dumps(report.as_dict()))
        return
    console = Console()
    for table in report.tables():
        console.print(table)
    if options.out:
        print(f"report: {options.out}", file=sys.stderr)


def _progress(quiet: bool) -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TextColumn("{task.fields[best]}"), TimeRemainingColumn(),
        console=Console(stderr=True, quiet=quiet),
    )  # fmt: skip


VERB = {
    name: verb_of(task, _run, _COMMON, _NOTE, ranges=True) for name, task in TRIAL_TASKS.items()
}
