"""Recompute a recording and compare."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro

from pliant.errors import ConfigError
from pliant.laws.own_laws import load_law
from pliant.loop.metadata import versions
from pliant.recording import Recording, load
from pliant.recording.recomputation import Recomputation, recompute
from pliant.safe_yaml import load_yaml
from pliant.tick import Rows

_PLOTTED = ("contact", "command", "wrench")
"""The groups of plots in which a difference would be visible."""


@dataclass
class RecomputeOptions:
    """Options of `pliant recompute`."""

    file: tyro.conf.Positional[Path]
    """The recording."""
    start: Annotated[int | None, tyro.conf.arg(name="from")] = None
    """Number of the first tick to recompute; the tick before it must be in the recording."""
    set: tuple[str, ...] = ()
    """Parameters to override, as laws.hybrid_admittance.damping=[…]."""
    law: tuple[str, ...] = ()
    """Your own laws that the recording was made with, as ./my_law.py:MyLaw."""
    plot: Path | None = None
    """Plot the recorded and the recomputed run to this PNG, PDF, SVG or HTML file."""


def run(options: Annotated[RecomputeOptions, tyro.conf.arg(name="")]) -> None:
    """Run the recorded inputs and commands through the stages again and compare every column.

    Exits with status 1 if a column differs. With --set it shows what other parameters would have
    commanded. That is open loop: the recorded sensor values do not react to the new commands.
    """
    recording = load(options.file)
    overrides = dict(_parameter(text) for text in options.set)
    result = recompute(
        recording,
        options.start,
        overrides=overrides,
        laws=[load_law(name) for name in options.law],
        keep=bool(overrides) or options.plot is not None,
    )
    _report(recording, result, overrides)
    if options.plot and result.rows is not None:
        _plot(recording, result.rows, options)
    if result.difference is not None and not overrides:
        sys.exit(1)


def _parameter(text: str) -> tuple[str, Any]:
    path, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(f"--set takes PATH=VALUE with a YAML value, not {text!r}")
    return path.strip(), load_yaml(value, f"the value of --set {path}=")


def _report(recording: Recording, result: Recomputation, overrides: dict[str, Any]) -> None:
    print(f"recomputed ticks {result.first} to {result.last} of {recording.path}")
    if result.given:
        print(f"{result.given} ticks were copied, because the ticks before them were lost")
    for refusal in result.refused[:3]:
        print(f"tick {refusal.tick}: {refusal.text!r} is refused now: {refusal.why}")
    if result.difference is None:
        print(f"equal bit for bit: every computed column of {result.ticks} ticks")
        return
    _report_versions(recording)
    print(f"first difference: {result.difference}")
    if overrides and result.rows is not None:
        _report_commanded(recording, result.rows)


def _report_versions(recording: Recording) -> None:
    """Report different software versions, which may explain a difference."""
    now = versions()
    for name, then in recording.header["versions"].items():
        if now.get(name) != then:
            print(f"recorded with {name} {then}, recomputed with {now.get(name)}")


def _report_commanded(recording: Recording, rows: Rows) -> None:
    """Report the largest differences between the recorded and the recomputed commands."""
    before = recording.rows[-len(rows) :]
    pose = 1e3 * np.linalg.norm(rows["X_WT_cmd"][:, :3] - before["X_WT_cmd"][:, :3], axis=1)
    joints = np.degrees(np.abs(rows["q_limited"] - before["q_limited"]).max())
    print(
        "open loop: the recorded sensor values do not react to the new commands\n"
        f"commanded tool position: differs by up to {pose.max():.3g} mm, {pose[-1]:.3g} mm at the "
        "end\n"
        f"joint set points: differ by up to {joints:.3g}°"
    )


def _plot(recording: Recording, rows: Rows, options: RecomputeOptions) -> None:
    from pliant.recording.plot_file import plot

    file = options.plot
    assert file is not None
    before = replace(recording, rows=recording.rows[-len(rows) :])
    overrides = f" with {', '.join(options.set)} (open loop)" if options.set else ""
    plot(
        [before, replace(before, rows=rows)],
        file,
        groups=_PLOTTED,
        names=["recorded", "recomputed"],
        title=f"{recording.path.name}, recorded and recomputed{overrides}",
    )
    print(f"plot: {file}")


VERB = run
