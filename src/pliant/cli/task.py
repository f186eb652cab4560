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
from pliant.cli.arm_options import check_plot_file
from pliant.cli.motion_tasks import run_playback, run_teach
from pliant.errors import ConfigError
from pliant.recording.new_file import check_suffix
from pliant.tasks.insertion import Insertion, InsertionResult, Phase

LawName = Literal["hybrid_admittance", "position"]

_HISTORY = 180.0
"""Long enough for an insertion that gets stuck in every attempt, s."""

_BOUNDS = (
    ("offset", 0.0, 20.0, "mm"),
    ("tilt", 0.0, 15.0, "degrees"),
    ("clearance", 0.1, 5.0, "mm"),
    ("stiffness", 1.0, 100.0, "N/mm"),
    ("lag", 0.0, 100.0, "ms"),
)
_PHASE_TEXTS = {
    Phase.APPROACH: "approaching the hole",
    Phase.CONTACT: "in contact, settling",
    Phase.SEARCH: "searching for the hole in a spiral",
    Phase.INSERTION: "hole found, inserting the peg",
    Phase.SEATED: "seated",
}


@dataclass
class InsertionOptions:
    """Options of `pliant task insertion`, in the units of the command line."""

    robot: str = "sim:ur5e/peg"
    """The simulated arm: sim:ur5e/peg, sim:panda/peg, sim:fr3/peg."""
    law: LawName = "hybrid_admittance"
    """The active law; position is for comparison."""
    compare: bool = False
    """Run twice, compliantly and under position control, and compare."""
    offset: float = 1.0
    """Distance of the hole from its nominal position, mm; the seed gives the direction. The search
    covers 2.5 mm."""
    tilt: float = 0.0
    """Tilt of the hole, degrees; the seed gives the direction."""
    clearance: float = 0.3
    """Radial clearance between peg and hole, mm."""
    stiffness: float = 10.0
    """Stiffness of the fixture, N/mm."""
    lag: float = 34.0
    """Servo lag of a position-controlled arm, ms, of which a quarter is dead time."""
    seed: int = 0
    """Random seed."""
    json: bool = False
    """Print one JSON object (a list of two with --compare) instead of a table."""
    plot: Path | None = None
    """Plot force and compliant offset over time to this PNG, PDF or SVG file."""
    record: Path | None = None
    """Record every tick and command to this file, .mcap or .csv; --compare adds the law to its
    name."""


def run_insertion(options: Annotated[InsertionOptions, tyro.conf.arg(name="")]) -> None:
    """Insert a peg into a hole that is off its nominal position.

    The strategy knows only the nominal position. Reported forces are the unfiltered forces of the
    physics engine on the fixture, for every law.
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
        from pliant.tasks.insertion.insertion_plot import plot_insertions

        plot_insertions([(i.arm.history, i.phases, result) for i, result in runs], options.plot)
        console.print(f"plot: {options.plot}")
    if not results[0].seated:
        sys.exit(1)


def _check(options: InsertionOptions) -> None:
    """Refuse values that the simulation cannot handle, in the units of the command line."""
    for flag, low, high, unit in _BOUNDS:
        value = getattr(options, flag)
        if not low <= value <= high:
            raise ConfigError(f"--{flag} must be {low:g} to {high:g} {unit}, not {value:g}")
    check_plot_file(options.plot)
    if options.record:
        check_suffix(options.record)


def _insert(
    options: InsertionOptions, law: LawName, console: Console
) -> tuple[Insertion, InsertionResult]:
    def report(phase: Phase, time: float) -> None:
        console.print(f"  {time:6.2f} s  {_PHASE_TEXTS[phase]}")

    name = "compliant" if law == "hybrid_admittance" else "position control, no contact stop"
    console.print(f"[bold]{name}[/bold]")
    arm = Arm(options.robot, config=_config(options), history=_HISTORY)
    insertion = Insertion(arm, on_phase=report)
    file = _recording(options, law)
    with record(arm, file) if file else nullcontext():
        result = insertion.run(law)
    if not result.seated:
        console.print(f"  {insertion.arm.time:6.2f} s  {result.note}")
    if file:
        console.print(f"recording: {file}")
    return insertion, result


def _recording(options: InsertionOptions, law: LawName) -> Path | None:
    """The recording file of a law."""
    file = options.record
    return file.with_stem(f"{file.stem}-{law}") if file and options.compare else file


def _config(options: InsertionOptions) -> dict[str, Any]:
    """The simulated scene, from the options in command-line units."""
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
        table.add_row(label, *[_format(value) for value in values])
    return table


def _format(value: object) -> str:
    if isinstance(value, bool):
        return "[green]yes[/green]" if value else "[red]no[/red]"
    return f"{value:.1f}" if isinstance(value, float) else str(value)


VERB = {"insertion": run_insertion, "teach": run_teach, "playback": run_playback}
