"""Run a task on a simulated arm."""

import json
import sys
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from rich.console import Console
from rich.table import Table

from pliant.api.arm import Arm
from pliant.api.recorders import record
from pliant.cli.arm_options import check_plot_file
from pliant.cli.motion_tasks import run_playback, run_teach
from pliant.cli.trial_verb import trial_verb
from pliant.recording.new_file import check_suffix
from pliant.tasks.insertion import Insertion, InsertionResult, Phase
from pliant.tasks.insertion.insertion_trial import HISTORY, PARAMETERS, insertion_config
from pliant.tasks.trial_tasks import TRIAL_TASKS

LawName = Literal["hybrid_admittance", "hybrid_force", "position"]

_PHASE_TEXTS = {
    Phase.APPROACH: "approaching the hole",
    Phase.SEARCH: "searching for the hole with a leaning peg",
    Phase.NESTLE: "hole found, pushing the edge to its far side",
    Phase.TURN: "turning the peg upright",
    Phase.INSERTION: "inserting the peg",
    Phase.SEATED: "seated",
}


@dataclass
class InsertionOptions:
    """Options of `pliant task insertion`, in the units of the command line."""

    robot: str = "sim:ur5e/peg"
    """The simulated arm: sim:ur5e/peg, sim:panda/peg, sim:fr3/peg."""
    law: LawName = "hybrid_admittance"
    """The active law; hybrid_force is for torque arms, position for comparison."""
    compare: bool = False
    """Run twice, compliantly and under position control, and compare."""
    offset: float = 1.0
    """Distance of the hole from its nominal position, mm; the seed gives the direction."""
    height: float = 0.0
    """How far the true surface is above the nominal one, mm."""
    tilt: float = 0.0
    """Tilt of the hole, degrees; the seed gives the direction."""
    grasp: float = 0.0
    """How far the peg is shifted in the gripper, mm; the seed gives the direction."""
    grasp_tilt: float = 0.0
    """How far the peg is tilted in the gripper, degrees; the seed gives the direction."""
    clearance: float = 0.3
    """Radial clearance between peg and hole, mm."""
    rounding: float = 0.2
    """Radius of the edges of peg and hole, mm; 0: sharp, which is 0.02 mm."""
    stiffness: float = 10.0
    """Stiffness of the fixture, N/mm."""
    rotation: float = 0.0
    """Rotational stiffness of the fixture, N·m/rad; 0: rigid."""
    friction: float = 0.3
    """Coefficient of friction."""
    later_stiffness: float = 0.0
    """Stiffness of the fixture after a change under way, N/mm; 0: no change."""
    later_time: float = 0.0
    """Time of that change, s."""
    lag: float = 34.0
    """Servo lag of a position-controlled arm, of which a quarter is dead time, ms."""
    joint_friction: float = 1.0
    """Friction of a torque arm's joints, relative to the typical one."""
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
        laws = ["hybrid_admittance" if options.law == "position" else options.law, "position"]
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
    for name, value in _values(options).items():
        PARAMETERS[name].check(name, value)
    check_plot_file(options.plot)
    if options.record:
        check_suffix(options.record)


def _insert(
    options: InsertionOptions, law: LawName, console: Console
) -> tuple[Insertion, InsertionResult]:
    def report(phase: Phase, time: float) -> None:
        console.print(f"  {time:6.2f} s  {_PHASE_TEXTS[phase]}")

    name = "position control, no contact stop" if law == "position" else "compliant"
    console.print(f"[bold]{name}[/bold]")
    config = insertion_config(_values(options), options.seed)
    arm = Arm(options.robot, config=config, history=HISTORY)
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


def _values(options: InsertionOptions) -> dict[str, float]:
    """The parameters of the scene and the arm, in command-line units."""
    return {name: getattr(options, name) for name in PARAMETERS}


def _table(results: list[InsertionResult]) -> Table:
    rows: list[tuple[str, str]] = [
        ("seated", "seated"),
        ("peak contact force, N", "peak_force_n"),
        ("peak side force, N", "side_force_n"),
        ("peak torque about the TCP, N·m", "peak_torque_nm"),
        ("mean contact force, N", "mean_force_n"),
        ("depth, mm", "depth_mm"),
        ("time, s", "time_s"),
    ]
    table = Table("", *[f"[bold]{result.law}[/bold]" for result in results], title_justify="left")
    for label, name in rows:
        values = [getattr(result, name) for result in results]
        table.add_row(label, *[_format(value) for value in values])
    return table


def _format(value: object) -> str:
    if isinstance(value, bool):
        return "[green]yes[/green]" if value else "[red]no[/red]"
    if isinstance(value, float):
        return f"{value:.1f}" if value >= 1.0 else f"{value:.2g}"
    return str(value)


VERB = {
    "insertion": run_insertion,
    **{name: trial_verb(task) for name, task in TRIAL_TASKS.items() if name != "insertion"},
    "teach": run_teach,
    "playback": run_playback,
}
