"""Find out what the tool, the servo or a surface is like, and write it into the configuration."""

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
from pliant.stability.words import plain


@dataclass
class IdentifyOptions(ArmOptions):
    """What all identifications have in common."""

    write: Path | None = None
    """Write the configuration with what was found to this YAML file."""


@dataclass
class ToolOptions(IdentifyOptions):
    """What can be set for weighing the tool."""

    recording: Path | None = None
    """Take the poses from a recording instead of moving the arm."""
    tilt: float = 50.0
    """How far to turn the tool from where it is, degrees."""
    poses: int = 8
    """How many orientations."""


@dataclass
class SurfaceOptions(IdentifyOptions):
    """What can be set for pressing on a surface."""

    force: float = 10.0
    """Force to press with, N."""
    reach: float = 100.0
    """How far to look for the surface along the tool's z axis, mm."""
    speed: float = 2.0
    """Speed of the approach, mm/s."""


def tool(options: Annotated[ToolOptions, tyro.conf.arg(name="")]) -> None:
    """Weigh the tool: mass, centre of mass, and the sensor's bias.

    Turns the tool about its TCP to several orientations; it must be free, with room around it as
    far as it is long.
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
    _tell(options, base, asdict(fit), changes, lambda console: _show_tool(console, fit))


def lag(options: Annotated[IdentifyOptions, tyro.conf.arg(name="")]) -> None:
    """Measure how the arm's servo follows: dead time and lag.

    Moves the tool to and fro by a few millimetres; it must be free.
    """
    with options.open() as arm:
        arm.wait(0.1)
        base = options.base(arm)
        fit = identify_lag(arm)
    changes = {
        "contact.dead_time": fit.dead_time.value,
        "contact.time_constant": fit.time_constant.value,
    }
    _tell(options, base, asdict(fit), changes, lambda console: _show_lag(console, fit))


def surface(options: Annotated[SurfaceOptions, tyro.conf.arg(name="")]) -> None:
    """Measure the stiffness and damping of what is before the tool.

    Zeroes the sensor, goes along the tool's z axis until it feels something, presses slowly and
    swings a little, and returns.
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
    _tell(options, base, asdict(fit), changes, lambda console: _show_surface(console, fit))


def _tell(
    options: IdentifyOptions,
    base: Config,
    figures: dict[str, Any],
    changes: dict[str, Any],
    show: Callable[[Console], None],
) -> None:
    """Print what was found, and write it if asked to."""
    if options.write:
        write_config(base, changes, options.write)
    if options.json:
        print(json.dumps(figures | {"config": changes}, ensure_ascii=False))
        return
    console = Console(highlight=False, soft_wrap=True)
    show(console)
    if options.write:
        console.print(f"written to {options.write}")
    else:
        console.print("--write FILE puts it into a configuration")


def _show_tool(console: Console, fit: ToolFit) -> None:
    console.print(f"mass            {_shown(fit.mass, 1.0, 'kg', 3)}")
    for name, estimate in zip("xyz", fit.com_F, strict=True):
        console.print(f"centre of mass  {name} {_shown(estimate, 1e3, 'mm', 2)}, in the flange")
    for i, (name, estimate) in enumerate(zip(AXES, fit.bias, strict=True)):
        unit, digits = ("N", 3) if i < 3 else ("N·m", 4)
        console.print(f"sensor bias     {name} {_shown(estimate, 1.0, unit, digits)}")
    console.print(
        f"from {fit.poses} poses, condition number {fit.condition:.1f}; left over "
        f"{fit.residual[0]:.2g} N and {fit.residual[1]:.2g} N·m"
    )


def _show_lag(console: Console, fit: LagFit) -> None:
    console.print(f"dead time  {_shown(fit.dead_time, 1e3, 'ms', 2)}")
    console.print(f"lag        {_shown(fit.time_constant, 1e3, 'ms', 2)} (first order)")
    console.print(f"together   {_shown(fit.lag, 1e3, 'ms', 2)}")
    console.print(f"the joints follow that to {plain(1e6 * fit.residual)} µrad")


def _show_surface(console: Console, fit: SurfaceFit) -> None:
    console.print(f"stiffness      {_shown(fit.stiffness, 1e-3, 'N/mm', 2)}")
    console.print(f"damping        {_shown(fit.damping, 1.0, 'N·s/m', 0)}")
    console.print(f"mass           {_shown(fit.mass, 1.0, 'kg', 2)}")
    if fit.arm_stiffness:
        console.print(f"the arm itself {_shown(fit.arm_stiffness, 1e-3, 'N/mm', 0)}")
    console.print(f"the force follows that to {fit.residual:.2g} N")


def _shown(estimate: Estimate, scale: float, unit: str, digits: int) -> str:
    """A figure with its 95 % confidence, as people read it."""
    width = 0.5 * scale * (estimate.interval[1] - estimate.interval[0])
    least = 10.0**-digits
    within = f"{width:.{digits}f}" if width >= 0.5 * least else f"<{least:g}"
    return f"{scale * estimate.value:.{digits}f} ± {within} {unit}"


VERB = {"tool": tool, "lag": lag, "surface": surface}
