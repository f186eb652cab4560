"""The whole benchmark."""

import platform
from dataclasses import dataclass, field
from typing import Any

from pliant.bench.cpu import measure_cpu
from pliant.bench.figure import Figure
from pliant.bench.franka_wire import measure_franka
from pliant.bench.guardian_cost import measure_guardian
from pliant.bench.law_cost import measure_laws
from pliant.bench.memory import measure_memory
from pliant.bench.real_time_bench import measure_realtime
from pliant.bench.simulation import measure_insertion, measure_speed
from pliant.bench.start_time import measure_control, measure_start, write_bytecode
from pliant.bench.tick_cost import measure_ticks
from pliant.bench.ur_wire import measure_ur
from pliant.version import __version__


@dataclass(frozen=True, kw_only=True)
class Report:
    """All figures of one run.

    Attributes:
        figures: The main figures, by name.
        stages: Cost of each stage, called individually from Python.
        laws: Cost of a whole tick of a torque arm under each law, without physics.
        realtime: Real-time behaviour of a controller process; empty if not measured.
        console: Streaming of the console to a browser; empty if not measured.
    """

    figures: dict[str, Figure]
    stages: dict[str, Figure]
    laws: dict[str, Figure] = field(default_factory=dict)
    realtime: dict[str, Figure] = field(default_factory=dict)
    console: dict[str, Figure] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether every figure is within its bound."""
        measured = self.figures | self.laws | self.realtime | self.console
        return all(figure.ok for figure in measured.values())

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "ok": self.ok,
            "figures": _as_dicts(self.figures),
            "stages": _as_dicts(self.stages),
            "laws": _as_dicts(self.laws),
            "realtime": _as_dicts(self.realtime),
            "console": _as_dicts(self.console),
            "pliant": __version__,
            "python": platform.python_version(),
            "machine": platform.machine(),
        }


def _as_dicts(figures: dict[str, Figure]) -> dict[str, dict[str, Any]]:
    return {name: figure.as_dict() for name, figure in figures.items()}


def measure(*, quick: bool = False, realtime: bool = True) -> Report:
    """Measure everything in sequence.

    Args:
        quick: Take some seconds instead of minutes; the figures are less precise.
        realtime: Whether to measure controller processes too, which takes half of the time.
    """
    write_bytecode()
    ticks, stages = measure_ticks(rounds=40 if quick else 400)
    figures = {
        **ticks,
        **measure_insertion(repeats=1 if quick else 7),
        **measure_memory(ticks=20_000 if quick else 1_000_000),
        **measure_speed(seconds=1.0 if quick else 10.0),
        **measure_start(repeats=1 if quick else 3),
    }
    processes = _measure_processes(quick) if realtime else {}
    laws = measure_laws(rounds=20 if quick else 200)
    return Report(figures=figures, stages=stages, laws=laws, realtime=processes)


def _measure_processes(quick: bool) -> dict[str, Figure]:
    if quick:
        return {
            **measure_realtime(turns=1, seconds=1.0),
            **measure_cpu(turns=1, seconds=1.0),
            **measure_guardian(turns=1, seconds=1.0),
            **measure_control(turns=1),
            **measure_ur(seconds=3.0),
            **measure_franka(turns=3),
        }
    return {
        **measure_realtime(turns=40, seconds=1.0),
        **measure_cpu(turns=7, seconds=3.0),
        **measure_guardian(turns=11, seconds=5.0),
        **measure_control(turns=7),
        **measure_ur(seconds=30.0),
        **measure_franka(turns=20),
    }
