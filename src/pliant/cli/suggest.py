"""Suggest gains for a lag, a range of surfaces and a wanted contact."""

import json as json_format
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console
from rich.table import Table

from pliant.arms.description import ArmDescription, load_arm
from pliant.cli.arm_options import check_picture, write_config
from pliant.cli.suggest_plot import plot_contacts
from pliant.config import Config
from pliant.errors import Refused
from pliant.stability import Servo, Suggestion, Wish, servo_of, stiff_end, suggest
from pliant.stability.words import plain

_DEAD_SHARE = 0.25
_LONGEST_LAG = 1000.0

_ELSEWHERE = {
    "position": "in a stiff posture of the arm; where it gives way more, peaks are lower",
    "torque": "in a stiff posture of the arm; in others, peaks are up to a tenth higher",
}


@dataclass
class SuggestOptions:
    """What can be asked for, as people type it."""

    softest: float = 1.0
    """The softest surface, N/mm."""
    stiffest: float = 10.0
    """The stiffest surface, N/mm."""
    force: float = 5.0
    """Force to press with, N."""
    peak: float | None = None
    """The largest force allowed at the contact, N; a fifth above the force if not given."""
    settling: float = inf
    """How long the force may take to come within a tenth of its target, s."""
    speed: float = 10.0
    """Speed of the approach at most, mm/s."""
    lag: float | None = None
    """Lag of the arm, ms, a quarter of it dead time; as configured if not given."""
    arm: str = "ur5e"
    """Which arm."""
    config: Path | None = None
    """A YAML file with filter, dead band, tool, and the lag as identified."""
    write: Path | None = None
    """Write the configuration with these gains to this YAML file."""
    json: bool = False
    """Print one JSON object instead of a table."""
    plot: Path | None = None
    """Draw the predicted contacts to this PNG, PDF or SVG."""


def suggest_gains(options: Annotated[SuggestOptions, tyro.conf.arg(name="")]) -> None:
    """Suggest gains that press without ringing, and predict what they do.

    For pressing along the tool's z axis with K = 0. Among the gains that are well damped on every
    surface of the range and keep the peak, those that settle fastest.
    """
    check_picture(options.plot)
    config = Config.from_yaml(options.config) if options.config else Config()
    description = load_arm(options.arm)
    found = suggest(
        _wish(options),
        _servo(options, servo_of(config, description)),
        stiff_end(description, config.tool),
        cutoff=config.wrench.cutoff,
        dead=config.wrench.dead_band[2],
        dt=1.0 / description.rate,
    )
    changes = _changes(found, config)
    if options.write:
        write_config(config, changes, options.write)
    if options.plot:
        plot_contacts(found, options.plot)
    if options.json:
        print(json_format.dumps(_as_dict(found, changes), ensure_ascii=False))
    else:
        _print(found, options, description)


def _wish(options: SuggestOptions) -> Wish:
    return Wish(
        softest=1e3 * options.softest,
        stiffest=1e3 * options.stiffest,
        force=options.force,
        peak=1.2 * options.force if options.peak is None else options.peak,
        settling=options.settling,
        speed=1e-3 * options.speed,
    )


def _servo(options: SuggestOptions, known: Servo) -> Servo:
    if options.lag is None:
        return known
    if not 0.0 <= options.lag <= _LONGEST_LAG:
        raise Refused(f"--lag is from 0 to {_LONGEST_LAG:g} ms, not {options.lag:g}")
    lag = 1e-3 * options.lag
    return Servo(dead_time=_DEAD_SHARE * lag, time_constant=(1.0 - _DEAD_SHARE) * lag)


def _changes(found: Suggestion, config: Config) -> dict[str, Any]:
    """The parameters to set: what is along x, y and z, but no springs along z, which presses."""
    law = config.laws.hybrid_admittance
    gains = {"inertia": found.gains.inertia, "damping": found.gains.damping}
    changes: dict[str, Any] = {
        f"laws.hybrid_admittance.{name}": [value] * 3 + list(getattr(law, name)[3:])
        for name, value in gains.items()
    }
    for name in ("stiffness", "damping_ratio"):
        six = getattr(law, name)
        changes[f"laws.hybrid_admittance.{name}"] = [*six[:2], 0.0, *six[3:]]
    changes["laws.hybrid_admittance.max_speed"] = [found.speed, law.max_speed[1]]
    changes["contact.surface_stiffness"] = max(found.contacts)
    return changes


def _as_dict(found: Suggestion, changes: dict[str, Any]) -> dict[str, Any]:
    return {
        "damping": found.gains.damping,
        "inertia": found.gains.inertia,
        "max_speed": found.speed,
        "peak": found.peak,
        "settling": found.settling,
        "contacts": [
            {"surface": stiffness, "peak": contact.peak, "settling": contact.settling}
            for stiffness, contact in found.contacts.items()
        ],
        "config": changes,
    }


def _print(found: Suggestion, options: SuggestOptions, arm: ArmDescription) -> None:
    console = Console(highlight=False)
    console.print(
        f"damping {found.gains.damping:.0f} N·s/m, inertia {plain(found.gains.inertia)} kg, "
        f"stiffness 0, approach at {1e3 * found.speed:g} mm/s at most"
    )
    table = Table(title=f"Pressing with {options.force:g} N, predicted", title_justify="left")
    for heading in ("surface, N/mm", "peak, N", "settled after, s"):
        table.add_column(heading, justify="right")
    for stiffness, contact in found.contacts.items():
        table.add_row(plain(1e-3 * stiffness), f"{contact.peak:.2f}", f"{contact.settling:.2f}")
    console.print(table)
    console.print(_ELSEWHERE[arm.interface])
    for file in (options.write, options.plot):
        if file:
            console.print(f"written to {file}")


VERB = suggest_gains
