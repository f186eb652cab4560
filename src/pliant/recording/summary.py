"""A recording at a glance."""

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pliant.recording.recording import Recording
from pliant.stages.supervisor import State, read_text


@dataclass(frozen=True, kw_only=True)
class Info:
    """What there is to know of a recording before looking into it.

    Attributes:
        spec: The arm and its scene.
        clock: What paced it: `fast` or `real`.
        rate: Ticks a second, Hz.
        ticks: How many ticks it has.
        lost: How many are missing in between.
        truncated: Whether its end is missing.
        first: The arm's time at its first tick, s.
        duration: From its first tick to its last, s.
        laws: How long each law was in charge, s.
        commands: How often each word was said; those that were refused apart.
        refused: How many commands were refused.
        events: What happened, each with its time, s.
        faults: Why the arm stopped, each with its time, s.
        peak_force: Largest contact force, N; the physics engine's where there is one.
        peak_force_source: Where that is from.
        latest: The latest beginning of a tick, s.
        hottest: The highest joint temperature, °C.
        versions: Of everything that computed it.
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
    """Look through a recording."""
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
        refused=sum(_said(line.text).startswith("ERR") for line in _lines(recording, "reply")),
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
    names = recording.header["laws"]
    return {names[i]: counts[i] * recording.header["dt"] for i in sorted(counts) if i >= 0}


def _words(recording: Recording) -> dict[str, int]:
    texts = (_said(line.text) for line in _lines(recording, "command"))
    return dict(Counter(text.split()[0] for text in texts if text))


def _lines(recording: Recording, *kinds: str) -> list[Any]:
    return [line for line in recording.lines if line.kind in kinds]


def _said(text: str) -> str:
    """A line without the name of the client that said it, or to whom it was said."""
    client, colon, rest = text.partition(": ")
    return rest if colon and " " not in client else text


def _faults(recording: Recording) -> list[tuple[float, str]]:
    rows = recording.rows
    faulty = rows["state"] == State.FAULT
    begins = np.flatnonzero(faulty & ~np.append(False, faulty[:-1]))
    return [(rows["time"][i].item(), read_text(rows[i : i + 1])) for i in begins]


def _peak_force(recording: Recording) -> tuple[float, str]:
    true = recording["true_f_peak"]
    if np.isfinite(true).any():
        return _largest(true), "on the fixture, by the physics engine"
    sensed = recording["w_T_raw"][recording["zeroed"] == 1, :3]
    return _largest(np.linalg.norm(sensed, axis=1)), "sensed"


def _largest(values: np.ndarray) -> float:
    return float(np.nanmax(values)) if np.isfinite(values).any() else 0.0


def _first(values: np.ndarray) -> float:
    return float(values[0]) if len(values) else 0.0
