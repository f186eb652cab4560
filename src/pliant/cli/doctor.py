"""Check machine, arm, sensor and configuration: what is wrong, and how to fix it."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro
from rich.console import Console

from pliant.api.arm import Arm
from pliant.cli.arm_options import ArmOptions, check_plot_file
from pliant.controller.arm_config import configure
from pliant.doctor import Report, examine
from pliant.doctor.contact_check import with_lag_of, with_surface
from pliant.errors import ConfigError, Refused
from pliant.extras import require
from pliant.stability import axes_of, expected_surface, servo_of, tip_impedances

_PLOTTED_AXIS = "z"


@dataclass
class DoctorOptions(ArmOptions):
    """Options of `pliant doctor`."""

    still: bool = False
    """Do not move the arm; use the configured tool and lag."""
    move: bool = False
    """Also move the arm of a running controller, which is otherwise only observed."""
    plot: Path | None = None
    """Plot the stability map over damping and surface stiffness to this PNG, PDF or SVG file."""
    push_test: bool = False
    """Only confirm the signs of a UR's force: you push its tool as asked, and it does not move."""
    make_ready: bool = False
    """Only switch a UR on, release its brakes and unlock a protective stop, as far as needed."""


def doctor(options: Annotated[DoctorOptions, tyro.conf.arg(name="")]) -> None:
    """Check whether machine, arm, sensor and configuration are fit to run.

    Of a UR it first measures the network, and asks for its state, its payload and its push test; of
    a Franka arm kernel, network and state, and unless it shall be still the commands that get lost,
    while it floats without torques.
    Measures timing for two seconds, observes the sensor, rotates the tool about its TCP, moves it
    back and forth by a few millimetres, and computes on which surfaces the gains are stable. The
    tool must be free, with at least its own length of clearance around it. Exits with status 1 if a
    check fails.
    """
    check_plot_file(options.plot)
    console = Console(quiet=options.json, highlight=False, soft_wrap=True)
    report = _run(options, console)
    if options.json:
        print(json.dumps(report.as_dict(), ensure_ascii=False))
    else:
        _print(report, console)
        if options.plot:
            console.print(f"stability map: {options.plot}")
    if not report.is_fit:
        sys.exit(1)


def _push_test(options: DoctorOptions) -> Report:
    # imported here, because nobody else needs it
    from pliant.doctor.push_check import push_test

    host = _ur_host(options, "--push-test")
    return Report(checks=(push_test(host, lambda text: print(text, flush=True)),))


def _make_ready(options: DoctorOptions) -> Report:
    from pliant.doctor.ur_check import make_arm_ready

    return Report(checks=(make_arm_ready(_ur_host(options, "--make-ready")),))


def _ur_host(options: DoctorOptions, option: str) -> str:
    """The address of the UR that an option needs."""
    host = _host(options, "ur")
    if not host:
        raise ConfigError(f"{option} needs --robot ur:<host>, not {options.robot}")
    return host


def _host(options: DoctorOptions, kind: str) -> str:
    """The address of an arm of a kind; empty for other arms."""
    prefix, _, host = options.robot.partition(":")
    return host if prefix == kind else ""


def _run(options: DoctorOptions, console: Console) -> Report:
    if options.push_test:
        return _push_test(options)
    if options.make_ready:
        return _make_ready(options)
    if host := _host(options, "ur"):
        return _run_ur(options, host, console)
    if host := _host(options, "franka"):
        return _run_franka(options, host, console)
    with options.open() as arm:
        return _examine_and_plot(options, arm, console)


def _run_franka(options: DoctorOptions, host: str, console: Console) -> Report:
    """Look at a Franka arm over the network, and control it only if it can be controlled."""
    # imported here, because nobody else needs it
    from pliant.doctor.franka_check import survey_franka

    require("franka")
    config = configure(options.robot, options.config, None)
    console.print("[dim]network: counting states, and commands unless still[/dim]")
    found = survey_franka(host, config.franka, config.tool, torques=not options.still)
    if not found.can_be_controlled:
        return Report(checks=found.checks)
    with options.open() as arm:
        report = _examine_and_plot(options, arm, console)
    return Report(checks=(*found.checks, *report.checks))


def _run_ur(options: DoctorOptions, host: str, console: Console) -> Report:
    """Look at a UR over the network, and control it only if it can be controlled."""
    # imported here, because nobody else needs it
    from pliant.doctor.ur_check import check_payload, survey

    console.print("[dim]network: counting packages for 4 s[/dim]")
    found = survey(host)
    if not found.can_be_controlled:
        return Report(checks=found.checks)
    with options.open() as arm:
        report = _examine_and_plot(options, arm, console)
        weighed = next((check for check in report.checks if check.name == "tool"), None)
        payload = check_payload(found, arm.config.tool, weighed)
    return Report(checks=(*found.checks, payload, *report.checks))


def _examine_and_plot(options: DoctorOptions, arm: Arm, console: Console) -> Report:
    report = _examine(options, arm, console)
    if options.plot:
        _plot(arm, report, options.plot)
    return report


def _examine(options: DoctorOptions, arm: Arm, console: Console) -> Report:
    if not options.is_attached:
        arm.wait(0.1)
        try:
            # as `pliant control` does at its start
            arm.zero()
        except Refused as error:
            console.print(f"not zeroed: {error}")
    move = options.move if options.is_attached else not options.still
    return examine(arm, move=move, report=lambda text: console.print(f"[dim]{text}[/dim]"))


def _print(report: Report, console: Console) -> None:
    for check in report.checks:
        mark = "[green]fit[/green]" if check.is_fit else "[red]not fit[/red]"
        console.print(f"{check.name}: {mark}, {check.summary}")
        for finding in check.findings:
            console.print(f"  [bold]{finding.problem}[/bold]")
            console.print(f"  → {finding.remedy}")


def _plot(arm: Arm, report: Report, file: Path) -> None:
    config = with_surface(with_lag_of(arm.config, report))
    tips = tip_impedances(arm.description, config.tool, np.array(arm.tick.q))
    axes = axes_of(config, servo_of(config, arm.description), tips, arm.dt)
    surface = expected_surface(config)
    if surface is not None:
        from pliant.doctor.stability_plot import plot_map

        plot_map(axes[_PLOTTED_AXIS], surface, _PLOTTED_AXIS, file)


VERB = doctor
