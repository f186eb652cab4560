"""Summarize a recording."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pliant.recording import load
from pliant.recording.summary import Info, inspect

_MAX_EVENTS = 12
"""Number of events and faults shown."""


@dataclass
class InfoOptions:
    """Options of `pliant info`."""

    file: tyro.conf.Positional[Path]
    """The recording."""
    json: bool = False
    """Print one JSON object instead of a table."""


def info(options: Annotated[InfoOptions, tyro.conf.arg(name="")]) -> None:
    """Print arm, scene, ticks, laws, commands, events, faults and versions of a recording."""
    summary = inspect(load(options.file))
    if options.json:
        print(json.dumps(summary.as_dict(), ensure_ascii=False))
    else:
        Console().print(_table(str(options.file), summary))


def _table(name: str, info: Info) -> Table:
    table = Table(show_header=False, title=escape(name), title_justify="left")
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for label, text in _entries(info).items():
        table.add_row(label, escape(text))
    return table


def _entries(info: Info) -> dict[str, str]:
    words = ", ".join(f"{word} {count}" for word, count in info.commands.items())
    laws = ", ".join(f"{law} {seconds:.1f} s" for law, seconds in info.laws.items())
    entries = {
        "arm": f"{info.spec}, {info.clock} clock, {info.rate:g} Hz",
        "time": f"{info.duration:.3f} s, starting at {info.first:.3f} s",
        "ticks": _ticks(info),
        "laws": laws or "none",
        "commands": f"{words or 'none'}; {info.refused} refused",
        "peak force": f"{info.peak_force:.1f} N {info.peak_force_source}",
        "hottest joint": f"{info.hottest:.1f} °C",
    }
    if info.clock == "real":
        entries["latest tick"] = f"{1e6 * info.latest:.0f} µs"
    entries["faults"] = _timed(info.faults) or "none"
    entries["events"] = _timed(info.events) or "none"
    entries["versions"] = ", ".join(f"{name} {text}" for name, text in info.versions.items())
    return entries


def _ticks(info: Info) -> str:
    lost = f"{info.lost} LOST" if info.lost else "none lost"
    truncated = "; its end is missing: the recorder was killed, or the disk was full"
    return f"{info.ticks}, {lost}{truncated if info.truncated else ''}"


def _timed(events: list[tuple[float, str]]) -> str:
    lines = [f"{time:8.3f} s  {text}" for time, text in events[:_MAX_EVENTS]]
    if len(events) > _MAX_EVENTS:
        lines.append(f"and {len(events) - _MAX_EVENTS} more")
    return "\n".join(lines)


VERB = info
