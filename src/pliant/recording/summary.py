"""Summary of a recording."""

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pliant.reasons import State
from pliant.recording.recording import Recording


@dataclass(frozen=True, kw_only=True)
class Info:
    """Summary of a recording.

    Attributes:
        spec: The arm and its scene.
        clock: The clock that paced it: `fast` or `real`.
        rate: Ticks per second, Hz.
        ticks: Number of ticks.
        lost: Number of ticks missing in between.
        truncated: Whether the end is missing.
        first: The arm's time at the first tick, s.
        duration: Time from the first tick to the last, s.
        laws: How long each law was active, s.
        commands: How often each command was given.
        refused: Number of commands that were refused.
        events: Events, each with its time, s.
        faults: Reasons for which the arm stopped, each with its time, s.
        peak_force: Largest contact force, N; from the physics engine if there is one.
        peak_force_source: Where the peak force comes from.
        latest: The largest lateness of a tick, s.
        hottest: The highest joint temperature, °C.
        versions: Versions of the software that computed it.
    """

    spec: str
    clock: str
    rate: float
    ticks: int
    lost: int
    truncated: bool
    first: float
    duration: float
    laws: dict[str, float]
    commands: dict[str, int]
    refused: int
    events: list[tuple[float, str]]
    faults: list[tuple[float, str]]
    peak_force: float
    peak_force_source: str
    latest: float
    hottest: float
    versions: dict[str, str]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)


def inspect(recording: Recording) -> Info:
    """Summarize a recording."""
    header, rows = recording.header, recording.rows
    peak, source = _peak_force(recording)
    return Info(
        spec=header["spec"],
        clock=header["clock"],
        rate=header["rate"],
        ticks=len(recording),
        lost=recording.lost,
        truncated=recording.truncated,
        first=_first(recording["time"]),
        duration=float(np.ptp(recording["time"])) if len(rows) else 0.0,
        laws=_laws(recording),
        commands=_words(recording),
        refused=sum(_text(line.text).startswith("ERR") for line in _lines(recording, "reply")),
        events=[(x.tick * header["dt"], x.text) for x in _lines(recording, "event", "lost")],
        faults=_faults(recording),
        peak_force=peak,
        peak_force_source=source,
        latest=_largest(recording["lateness"]),
        hottest=_largest(recording["temperature"]),
        versions=header["versions"] | {"python": header["python"]},
    )


def _laws(recording: Recording) -> dict[str, float]:
    counts = Counter(recording["law"].tolist())
    dt = recording.header["dt"]
    return {recording.law_name(i): counts[i] * dt for i in sorted(counts) if i != -1}


def _words(recording: Recording) -> dict[str, int]:
    texts = (_text(line.text) for line in _lines(recording, "command"))
    return dict(Counter(text.split()[0] for text in texts if text))


def _lines(recording: Recording, *kinds: str) -> list[Any]:
    return [line for line in recording.lines if line.kind in kinds]


def _text(line: str) -> str:
    """A command or reply without the name of its client."""
    client, colon, rest = line.partition(": ")
    return rest if colon and " " not in client else line


def _faults(recording: Recording) -> list[tuple[float, str]]:
    time, texts = recording.time, recording["reason_text"]
    faulty = recording["state"] == State.FAULT
    begins = np.flatnonzero(faulty & ~np.append(False, faulty[:-1]))
    return [
        (time[i].item(), bytes(texts[i]).rstrip(b"\0").decode(errors="replace")) for i in begins
    ]


def _peak_force(recording: Recording) -> tuple[float, str]:
    true = recording["true_f_peak"]
    if np.isfinite(true).any():
        return _largest(true), "on the fixture, from the physics engine"
    sensed = recording["w_T_raw"][recording["zeroed"] == 1, :3]
    return _largest(np.linalg.norm(sensed, axis=1)), "sensed"


def _largest(values: np.ndarray) -> float:
    return float(np.nanmax(values)) if np.isfinite(values).any() else 0.0


def _first(values: np.ndarray) -> float:
    return float(values[0]) if len(values) else 0.0
