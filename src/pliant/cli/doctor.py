"""Look at machine, arm, sensor and configuration: what is wrong, and what to change."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro
from rich.console import Console

from pliant.api.arm import Arm
from pliant.cli.arm_options import ArmOptions, check_picture
from pliant.doctor import Report, examine
from pliant.doctor.contact_check import with_lag_of, with_surface
from pliant.doctor.stability_plot import plot_map
from pliant.errors import Refused
from pliant.stability import arm_ends, axes_of, expected_surface, servo_of

_PLOTTED = "z"


@dataclass
class DoctorOptions(ArmOptions):
    """What can be set for an examination."""

    still: bool = False
    """Do not move the arm: tool and lag are taken as configured."""
    move: bool = False
    """Move the arm of a controller that runs, too; without it such an arm is only looked at."""
    plot: Path | None = None
    """Draw the stability map over damping and surface stiffness to this PNG, PDF or SVG."""


def doctor(options: Annotated[DoctorOptions, tyro.conf.arg(name="")]) -> None:
    """Look whether machine, arm, sensor and configuration are fit to run.

    Keeps deadlines for two seconds, watches the sensor, turns the tool about its TCP, moves it to
    and fro by a few millimetres, and computes which surfaces the gains can touch. The tool must be
    free, with room around it as far as it is long. Exits with status 1 if something is wrong.
    """
    check_picture(options.plot)
    console = Console(quiet=options.json, highlight=False, soft_wrap=True)
    with options.open() as arm:
        report = _examine(options, arm, console)
        if options.plot:
            _draw(arm, report, options.plot)
    if options.json:
        print(json.dumps(report.as_dict(), ensure_ascii=False))
    else:
        _print(report, console)
        if options.plot:
            console.print(f"stability map: {options.plot}")
    if not report.is_fit:
        sys.exit(1)


def _examine(options: DoctorOptions, arm: Arm, console: Console) -> Report:
    if not options.is_attached:
        arm.wait(0.1)
        try:
            # as `pliant control` does before it begins
            arm.zero()
        except Refused as error:
            console.print(f"not zeroed: {error}")
    move = options.move if options.is_attached else not options.still
    return examine(arm, move=move, say=lambda text: console.print(f"[dim]{text}[/dim]"))


def _print(report: Report, console: Console) -> None:
    for check in report.checks:
        mark = "[green]fit[/green]" if check.is_fit else "[red]not fit[/red]"
        console.print(f"{check.name}: {mark}, {check.summary}")
        for finding in check.findings:
            console.print(f"  [bold]{finding.problem}[/bold]")
            console.print(f"  → {finding.remedy}")


def _draw(arm: Arm, report: Report, file: Path) -> None:
    config = with_surface(with_lag_of(arm.config, report))
    ends = arm_ends(arm.description, config.tool, np.array(arm.tick.q))
    axes = axes_of(config, servo_of(config, arm.description), ends, arm.dt)
    surface = expected_surface(config)
    if surface is not None:
        plot_map(axes[_PLOTTED], surface, _PLOTTED, file)


VERB = doctor
