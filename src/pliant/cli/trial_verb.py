"""The verbs of a task that can be tried; here, that of one trial."""

import json
import sys
from collections.abc import Callable
from dataclasses import field, make_dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console
from rich.table import Table

from pliant.cli.arm_options import check_plot_file
from pliant.errors import ConfigError
from pliant.recording.new_file import check_suffix
from pliant.tasks.trial_task import TrialTask


def option(kind: Any, default: Any, doc: str) -> tuple[Any, Any]:
    """An option of a verb: its annotated type, and its default."""
    return Annotated[kind, tyro.conf.arg(help=doc)], field(default=default)


def verb_of(
    task: TrialTask,
    run: Callable[[TrialTask, Any], None],
    common: dict[str, tuple[Any, Any]],
    note: str,
    *,
    ranges: bool,
) -> Callable[..., None]:
    """A verb for a task, with an option for each of its parameters.

    Args:
        task: The task.
        run: What the verb does, with the task and its options.
        common: The other options.
        note: What its help says besides what the task does.
        ranges: Whether a parameter is a text that may be a range, rather than a number.
    """
    own = {
        name: option(str, f"{p.default:g}", f"{p.doc} {p.unit}".strip())
        if ranges
        else option(float, p.default, f"{p.doc} {p.unit}".strip())
        for name, p in task.parameters.items()
    }
    fields = [(name, kind, default) for name, (kind, default) in {**own, **common}.items()]
    kind = make_dataclass(f"{task.name.title()}Options", fields)

    def verb(options: Any) -> None:
        run(task, options)

    verb.__annotations__["options"] = Annotated[kind, tyro.conf.arg(name="")]
    verb.__doc__ = f"{task.doc}\n\n{note}"
    return verb


def trial_verb(task: TrialTask) -> Callable[..., None]:
    """The verb that tries a task once."""
    common = {
        "robot": option(str, task.robot, "The simulated arm."),
        "seed": option(int, 0, "Random seed."),
        "set": option(
            tuple[str, ...], (), "More parameters, as in law.contact_peak=6: gains of the law."
        ),
        "json": option(bool, False, "Print one JSON object instead of a table."),
        "plot": option(Path | None, None, "Plot the force to this PNG, PDF or SVG file."),
        "record": option(
            Path | None, None, "Record every tick and command to this file, .mcap or .csv."
        ),
    }
    note = "Reported forces are those of the physics, where they can be known."
    return verb_of(task, _run, common, note, ranges=False)


def assignment(text: str) -> tuple[str, str]:
    """Name and value of NAME=VALUE.

    Raises:
        ConfigError: It is no assignment.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(f"--set takes NAME=VALUES, not {text!r}")
    return name, value


def _run(task: TrialTask, options: Any) -> None:
    params = {name: float(getattr(options, name)) for name in task.parameters}
    params |= {name: float(value) for name, value in map(assignment, options.set)}
    task.check(params)
    check_plot_file(options.plot)
    if options.record:
        check_suffix(options.record)
    figures = task.run(
        params, options.seed, options.robot, record=options.record, plot=options.plot
    )
    if options.json:
        print(json.dumps(figures))
    else:
        _print(task, figures, options)
    if not figures[task.success]:
        sys.exit(1)


def _print(task: TrialTask, figures: dict[str, Any], options: Any) -> None:
    table = Table(task.name, "", title_justify="left")
    for name, value in figures.items():
        table.add_row(name, _shown(value))
    console = Console()
    console.print(table)
    for name in ("plot", "record"):
        if file := getattr(options, name):
            console.print(f"{name}: {file}")


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "[green]yes[/green]" if value else "[red]no[/red]"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
