"""Suggest gains for a servo lag, a range of surfaces and a desired contact behaviour."""

import json as json_format
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console
from rich.table import Table

from pliant.arms.description import ArmDescription, load_arm
from pliant.cli.arm_options import check_plot_file, write_config
from pliant.config import Config
from pliant.errors import Refused
from pliant.laws.hybrid_admittance import HybridConfig
from pliant.stability import ContactTarget, Servo, Suggestion, servo_of, stiff_tip, suggest
from pliant.stability.number_format import plain

_DEAD_TIME_FRACTION = 0.25
_MAX_LAG = 1000.0

_POSTURE_NOTE = {
    "position": "predicted for a stiff posture of the arm; peaks are lower in softer postures",
    "torque": "predicted for a stiff posture of the arm; peaks are up to 10 % higher in others",
}


@dataclass
class SuggestOptions:
    """Options of `pliant suggest`, in the units of the command line."""

    softest: float = 1.0
    """Stiffness of the softest surface, N/mm."""
    stiffest: float = 10.0
    """Stiffness of the stiffest surface, N/mm."""
    force: float = 5.0
    """Pressing force, N."""
    peak: float | None = None
    """Largest allowed contact force, N; by default 20 % above the pressing force."""
    settling: float = inf
    """Longest allowed time until the force is within 10 % of its target, s."""
    speed: float = 10.0
    """Largest approach speed, mm/s."""
    lag: float | None = None
    """Servo lag of the arm, ms, a quarter of it dead time; by default as configured."""
    arm: str = "ur5e"
    """The arm: ur5e, panda or fr3."""
    config: Path | None = None
    """A YAML file with filter, dead band, tool and identified lag."""
    write: Path | None = None
    """Write the configuration with the suggested gains to this YAML file."""
    json: bool = False
    """Print one JSON object instead of a table."""
    plot: Path | None = None
    """Plot the predicted contacts to this PNG, PDF or SVG file."""


def suggest_gains(options: Annotated[SuggestOptions, tyro.conf.arg(name="")]) -> None:
    """Suggest gains that press without ringing, and predict the contact.

    The gains are for pressing along the tool's z axis with K = 0. Of all gains that are well damped
    on every surface in the range and respect the peak force, they settle fastest.
    """
    check_plot_file(options.plot)
    config = Config.from_yaml(options.config) if options.config else Config()
    description = load_arm(options.arm)
    suggestion = suggest(
        _target(options),
        _servo(options, servo_of(config, description)),
        stiff_tip(description, config.tool),
        cutoff=config.wrench.cutoff,
        dead=config.wrench.dead_band[2],
        dt=1.0 / description.rate,
    )
    changes = _changes(suggestion, config)
    if options.write:
        write_config(config, changes, options.write)
    if options.plot:
        from pliant.cli.suggest_plot import plot_contacts

        plot_contacts(suggestion, options.plot)
    if options.json:
        print(json_format.dumps(_as_dict(suggestion, changes), ensure_ascii=False))
    else:
        _print(suggestion, options, description)


def _target(options: SuggestOptions) -> ContactTarget:
    return ContactTarget(
        softest=1e3 * options.softest,
        stiffest=1e3 * options.stiffest,
        force=options.force,
        peak=1.2 * options.force if options.peak is None else options.peak,
        settling=options.settling,
        speed=1e-3 * options.speed,
    )


def _servo(options: SuggestOptions, configured: Servo) -> Servo:
    if options.lag is None:
        return configured
    if not 0.0 <= options.lag <= _MAX_LAG:
        raise Refused(f"--lag must be 0 to {_MAX_LAG:g} ms, not {options.lag:g}")
    lag = 1e-3 * options.lag
    return Servo(
        dead_time=_DEAD_TIME_FRACTION * lag, time_constant=(1.0 - _DEAD_TIME_FRACTION) * lag
    )


def _changes(suggestion: Suggestion, config: Config) -> dict[str, Any]:
    """The parameters to set: gains along x, y and z, and no spring along z, the pressing axis."""
    law = config.laws.hybrid_admittance
    gains = {"inertia": suggestion.gains.inertia, "damping": suggestion.gains.damping}
    changes: dict[str, Any] = {
        f"laws.hybrid_admittance.{name}": [value] * 3 + list(getattr(law, name)[3:])
        for name, value in gains.items()
    }
    for name in ("stiffness", "damping_ratio"):
        six = getattr(law, name)
        changes[f"laws.hybrid_admittance.{name}"] = [*six[:2], 0.0, *six[3:]]
    changes["laws.hybrid_admittance.max_speed"] = [suggestion.speed, law.max_speed[1]]
    changes["contact.surface_stiffness"] = max(suggestion.contacts)
    return changes


def _as_dict(suggestion: Suggestion, changes: dict[str, Any]) -> dict[str, Any]:
    return {
        "damping": suggestion.gains.damping,
        "inertia": suggestion.gains.inertia,
        "max_speed": suggestion.speed,
        "peak": suggestion.peak,
        "settling": suggestion.settling,
        "contacts": [
            {"surface": stiffness, "peak": contact.peak, "settling": contact.settling}
            for stiffness, contact in suggestion.contacts.items()
        ],
        "config": changes,
    }


def _print(suggestion: Suggestion, options: SuggestOptions, arm: ArmDescription) -> None:
    console = Console(highlight=False)
    usual = HybridConfig().max_speed
    console.print(
        f"damping {suggestion.gains.damping:.0f} N·s/m, "
        f"inertia {plain(suggestion.gains.inertia)} kg, stiffness 0, "
        f"approach at up to {1e3 * suggestion.speed:g} mm/s"
    )
    table = Table(title=f"Pressing with {options.force:g} N, predicted", title_justify="left")
    for heading in ("surface, N/mm", "peak, N", "settling time, s"):
        table.add_column(heading, justify="right")
    for stiffness, contact in suggestion.contacts.items():
        table.add_row(plain(1e-3 * stiffness), f"{contact.peak:.2f}", f"{contact.settling:.2f}")
    console.print(table)
    console.print(_POSTURE_NOTE[arm.interface])
    console.print(
        "max_speed caps every motion under hybrid_admittance, in free space too: raise it for "
        f"long moves, "
        f"arm.activate('hybrid_admittance', max_speed=({usual[0]:g}, {usual[1]:g})), and lower it "
        "again before a contact"
    )
    for file in (options.write, options.plot):
        if file:
            console.print(f"written to {file}")


VERB = suggest_gains
