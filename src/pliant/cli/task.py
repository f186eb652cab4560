"""Run a task on a simulated arm."""

import json
import sys
from contextlib import nullcontext
from dataclasses import dataclass
from math import cos, pi, radians, sin
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import tyro
from rich.console import Console
from rich.table import Table

from pliant.api.arm import Arm
from pliant.api.recorders import record
from pliant.cli.motion_tasks import run_playback, run_teach
from pliant.errors import ConfigError
from pliant.tasks.insertion import Insertion, InsertionResult, Phase
from pliant.tasks.insertion.insertion_plot import plot_insertions

LawName = Literal["hybrid_admittance", "position"]

_LONGEST = 180.0
"""Longer than an insertion takes that gets stuck in every attempt, s."""

_BOUNDS = (
    ("offset", 0.0, 20.0, "mm"),
    ("tilt", 0.0, 15.0, "degrees"),
    ("clearance", 0.1, 5.0, "mm"),
    ("stiffness", 1.0, 100.0, "N/mm"),
    ("lag", 0.0, 100.0, "ms"),
)
_PICTURES = (".png", ".pdf", ".svg")

_DONE = {
    Phase.APPROACH: "approaching the hole",
    Phase.CONTACT: "contact, letting it settle",
    Phase.SEARCH: "searching the hole in a spiral",
    Phase.INSERTION: "found, pushing the peg in",
    Phase.SEATED: "seated",
}


@dataclass
class InsertionOptions:
    """What can be set for an insertion, as people type it."""

    robot: str = "sim:ur5e/peg"
    """Which simulated arm: sim:ur5e/peg, sim:panda/peg, sim:fr3/peg."""
    law: LawName = "hybrid_admittance"
    """The law in charge; position is for comparison."""
    compare: bool = False
    """Run compliantly and under position control, side by side."""
    offset: float = 1.0
    """How far the hole is from where it should be, mm, its direction from the seed. The search
    reaches 2.5 mm."""
    tilt: float = 0.0
    """How far the hole leans, degrees; the direction comes from the seed."""
    clearance: float = 0.3
    """Radial clearance between peg and hole, mm."""
    stiffness: float = 10.0
    """Stiffness of the fixture, N/mm."""
    lag: float = 34.0
    """Lag of a position arm behind its set points, ms, of which a quarter is dead time."""
    seed: int = 0
    """Seed of everything random."""
    json: bool = False
    """Print one JSON object (a list of two with --compare) instead of a table."""
    plot: Path | None = None
    """Write force and compliant offset over time to this PNG or PDF."""
    record: Path | None = None
    """Record every tick and command to this file, in MCAP; --compare puts the law into its name."""


def run_insertion(options: Annotated[InsertionOptions, tyro.conf.arg(name="")]) -> None:
    """Insert a peg into a hole that is not quite where it should be.

    The strategy knows the nominal hole only. Forces are the physics engine's on the fixture,
    unfiltered, the same for every law.
    """
    _check(options)
    console = Console(quiet=options.json)
    laws: list[LawName] = [options.law]
    if options.compare:
        laws = ["hybrid_admittance", "position"]
    runs = [_insert(options, law, console) for law in laws]
    results = [result for _, result in runs]
    if options.json:
        values: Any = [result.as_dict() for result in results]
        print(json.dumps(values if options.compare else values[0]))
    else:
        console.print(_table(results))
    if options.plot:
        plot_insertions([(i.arm.history, i.phases, result) for i, result in runs], options.plot)
        console.print(f"plot: {options.plot}")
    if not results[0].seated:
        sys.exit(1)


def _check(options: InsertionOptions) -> None:
    """Refuse, in the units of the flags, what the simulation cannot do."""
    for flag, low, high, unit in _BOUNDS:
        value = getattr(options, flag)
        if not low <= value <= high:
            raise ConfigError(f"--{flag} is {low:g} to {high:g} {unit}, not {value:g}")
    file = options.plot
    if file and file.suffix not in _PICTURES:
        raise ConfigError(f"--plot writes {' or '.join(_PICTURES)}, not {file.name}")
    if file and not file.absolute().parent.is_dir():
        raise ConfigError(f"--plot: there is no folder {file.parent}")


def _insert(
    options: InsertionOptions, law: LawName, console: Console
) -> tuple[Insertion, InsertionResult]:
    def say(phase: Phase, time: float) -> None:
        console.print(f"  {time:6.2f} s  {_DONE[phase]}")

    name = "compliant" if law == "hybrid_admittance" else "position control, no contact stop"
    console.print(f"[bold]{name}[/bold]")
    arm = Arm(options.robot, config=_config(options), history=_LONGEST)
    insertion = Insertion(arm, on_phase=say)
    file = _recording(options, law)
    with record(arm, file) if file else nullcontext():
        result = insertion.run(law)
    if not result.seated:
        console.print(f"  {insertion.arm.time:6.2f} s  {result.note}")
    if file:
        console.print(f"recording: {file}")
    return insertion, result


def _recording(options: InsertionOptions, law: LawName) -> Path | None:
    """The file for a law's recording."""
    file = options.record
    return file.with_stem(f"{file.stem}-{law}") if file and options.compare else file


def _config(options: InsertionOptions) -> dict[str, Any]:
    """The simulated scene, from figures as people type them."""
    direction, lean = np.random.default_rng(options.seed).uniform(0.0, 2.0 * pi, 2)
    offset, tilt, lag = 1e-3 * options.offset, radians(options.tilt), 1e-3 * options.lag
    scene = {
        "kind": "peg",
        "offset": (offset * cos(direction), offset * sin(direction)),
        "tilt": (tilt * cos(lean), tilt * sin(lean)),
        "clearance": 1e-3 * options.clearance,
        "stiffness": 1e3 * options.stiffness,
    }
    actuator = {"dead_time": 0.25 * lag, "time_constant": 0.75 * lag}
    return {"sim": {"scene": scene, "actuator": actuator, "seed": options.seed}}


def _table(results: list[InsertionResult]) -> Table:
    rows: list[tuple[str, str]] = [
        ("seated", "seated"),
        ("peak contact force, N", "peak_force_n"),
        ("mean contact force, N", "mean_force_n"),
        ("depth, mm", "depth_mm"),
        ("time, s", "time_s"),
        ("approach speed, mm/s", "approach_mm_s"),
    ]
    table = Table("", *[f"[bold]{result.law}[/bold]" for result in results], title_justify="left")
    for label, name in rows:
        values = [getattr(result, name) for result in results]
        table.add_row(label, *[_shown(value) for value in values])
    return table


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "[green]yes[/green]" if value else "[red]no[/red]"
    return f"{value:.1f}" if isinstance(value, float) else str(value)


VERB = {"insertion": run_insertion, "teach": run_teach, "playback": run_playback}
