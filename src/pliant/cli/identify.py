"""Identify the tool, the servo lag or a surface, and write the result to a configuration."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import radians
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console

from pliant.cli.arm_options import ArmOptions, write_config
from pliant.config import Config
from pliant.identify import (
    Estimate,
    LagFit,
    SurfaceFit,
    ToolFit,
    identify_lag,
    identify_surface,
    identify_tool,
    tool_from_rows,
)
from pliant.laws.hybrid_admittance.axes import AXES
from pliant.stability.number_format import plain


@dataclass
class IdentifyOptions(ArmOptions):
    """Options of every `pliant identify`."""

    write: Path | None = None
    """Write the configuration with the identified values to this YAML file."""


@dataclass
class ToolOptions(IdentifyOptions):
    """Options of `pliant identify tool`."""

    recording: Path | None = None
    """Take the poses from a recording instead of moving the arm."""
    tilt: float = 50.0
    """Largest rotation of the tool from its current orientation, degrees."""
    poses: int = 8
    """Number of orientations."""


@dataclass
class SurfaceOptions(IdentifyOptions):
    """Options of `pliant identify surface`."""

    force: float = 10.0
    """Pressing force, N."""
    reach: float = 100.0
    """Search distance along the tool's z axis, mm."""
    speed: float = 2.0
    """Approach speed, mm/s."""


def tool(options: Annotated[ToolOptions, tyro.conf.arg(name="")]) -> None:
    """Identify the tool's mass and centre of mass, and the sensor's bias.

    Rotates the tool about its TCP to several orientations. The tool must be free, with at least its
    own length of clearance around it.
    """
    if options.recording:
        from pliant.recording import load

        recording = load(options.recording)
        base = recording.config
        fit = tool_from_rows(recording.rows, base.tool)
    else:
        with options.open() as arm:
            arm.wait(0.1)
            base = options.base(arm)
            fit = identify_tool(arm, tilt=radians(options.tilt), poses=options.poses)
    found = fit.applied_to(base.tool)
    changes = {f"tool.{name}": getattr(found, name) for name in ("mass", "com_F", "inertia")}
    _report(options, base, asdict(fit), changes, lambda console: _print_tool(console, fit))


def lag(options: Annotated[IdentifyOptions, tyro.conf.arg(name="")]) -> None:
    """Identify the dead time and the lag of the arm's servo.

    Moves the tool back and forth by a few millimetres. The tool must be free.
    """
    with options.open() as arm:
        arm.wait(0.1)
        base = options.base(arm)
        fit = identify_lag(arm)
    changes = {
        "contact.dead_time": fit.dead_time.value,
        "contact.time_constant": fit.time_constant.value,
    }
    _report(options, base, asdict(fit), changes, lambda console: _print_lag(console, fit))


def surface(options: Annotated[SurfaceOptions, tyro.conf.arg(name="")]) -> None:
    """Identify the stiffness and damping of the surface in front of the tool.

    Zeroes the sensor, moves along the tool's z axis until contact, presses slowly, oscillates by a
    small amount, and returns.
    """
    with options.open() as arm:
        arm.wait(0.1)
        base = options.base(arm)
        if not options.is_attached:
            arm.zero()
        fit = identify_surface(
            arm, force=options.force, reach=1e-3 * options.reach, speed=1e-3 * options.speed
        )
    found = fit.surface
    changes = {
        "contact.surface_stiffness": found.stiffness,
        "contact.surface_damping": found.damping,
        "contact.surface_mass": found.mass,
    }
    _report(options, base, asdict(fit), changes, lambda console: _print_surface(console, fit))


def _report(
    options: IdentifyOptions,
    base: Config,
    fit: dict[str, Any],
    changes: dict[str, Any],
    print_fit: Callable[[Console], None],
) -> None:
    """Print the result, and write it to a configuration if requested."""
    if options.write:
        write_config(base, changes, options.write)
    if options.json:
        print(json.dumps(fit | {"config": changes}, ensure_ascii=False))
        return
    console = Console(highlight=False, soft_wrap=True)
    print_fit(console)
    if options.write:
        console.print(f"written to {options.write}")
    else:
        console.print("--write FILE writes it to a configuration")


def _print_tool(console: Console, fit: ToolFit) -> None:
    console.print(f"mass            {_format(fit.mass, 1.0, 'kg', 3)}")
    for name, estimate in zip("xyz", fit.com_F, strict=True):
        console.print(
            f"centre of mass  {name} {_format(estimate, 1e3, 'mm', 2)}, in the flange frame"
        )
    for i, (name, estimate) in enumerate(zip(AXES, fit.bias, strict=True)):
        unit, digits = ("N", 3) if i < 3 else ("N·m", 4)
        console.print(f"sensor bias     {name} {_format(estimate, 1.0, unit, digits)}")
    console.print(
        f"from {fit.poses} poses, condition number {fit.condition:.1f}, residual "
        f"{fit.residual[0]:.2g} N and {fit.residual[1]:.2g} N·m"
    )


def _print_lag(console: Console, fit: LagFit) -> None:
    console.print(f"dead time  {_format(fit.dead_time, 1e3, 'ms', 2)}")
    console.print(f"lag        {_format(fit.time_constant, 1e3, 'ms', 2)} (first order)")
    console.print(f"total      {_format(fit.lag, 1e3, 'ms', 2)}")
    console.print(f"residual   {plain(1e6 * fit.residual)} µrad of joint position")


def _print_surface(console: Console, fit: SurfaceFit) -> None:
    console.print(f"stiffness      {_format(fit.stiffness, 1e-3, 'N/mm', 2)}")
    console.print(f"damping        {_format(fit.damping, 1.0, 'N·s/m', 0)}")
    console.print(f"mass           {_format(fit.mass, 1.0, 'kg', 2)}")
    if fit.arm_stiffness:
        console.print(f"arm stiffness  {_format(fit.arm_stiffness, 1e-3, 'N/mm', 0)}")
    console.print(f"residual       {fit.residual:.2g} N of force")


def _format(estimate: Estimate, scale: float, unit: str, digits: int) -> str:
    """An estimate with its 95 % confidence interval, in display units."""
    half_width = 0.5 * scale * (estimate.interval[1] - estimate.interval[0])
    last_digit = 10.0**-digits
    bound = f"{half_width:.{digits}f}" if half_width >= 0.5 * last_digit else f"<{last_digit:g}"
    return f"{scale * estimate.value:.{digits}f} ± {bound} {unit}"


VERB = {"tool": tool, "lag": lag, "surface": surface}
