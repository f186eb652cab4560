"""The whole benchmark."""

import platform
from dataclasses import dataclass
from typing import Any

from pliant import __version__
from pliant.bench.figure import Figure
from pliant.bench.memory import measure_memory
from pliant.bench.simulation import measure_insertion, measure_speed
from pliant.bench.start import measure_start
from pliant.bench.tick import measure_ticks


@dataclass(frozen=True, kw_only=True)
class Report:
    """All figures of one run.

    Attributes:
        figures: The figures by name.
        stages: What each stage takes of a tick, called from Python one by one.
    """

    figures: dict[str, Figure]
    stages: dict[str, Figure]

    @property
    def ok(self) -> bool:
        """Whether every figure keeps to its bound."""
        return all(figure.ok for figure in self.figures.values())

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "ok": self.ok,
            "figures": {name: figure.as_dict() for name, figure in self.figures.items()},
            "stages": {name: figure.as_dict() for name, figure in self.stages.items()},
            "pliant": __version__,
            "python": platform.python_version(),
            "machine": platform.machine(),
        }


def measure(*, quick: bool = False) -> Report:
    """Measure everything, one after the other.

    Args:
        quick: A few seconds instead of half a minute; the figures are rougher.
    """
    ticks, stages = measure_ticks(rounds=40 if quick else 400)
    figures = {
        **ticks,
        **measure_insertion(repeats=1 if quick else 5),
        **measure_memory(ticks=20_000 if quick else 1_000_000),
        **measure_speed(seconds=1.0 if quick else 10.0),
        **measure_start(repeats=1 if quick else 3),
    }
    return Report(figures=figures, stages=stages)
