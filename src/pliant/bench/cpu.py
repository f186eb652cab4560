"""Processor time of an idle controller, compared with bare loops.

A CPU that sleeps between ticks runs everything slower than at full speed, including its wake-up; a
bare loop shows by how much. Physics alone may exceed the bound of the controller, so one figure
subtracts what physics adds to a bare loop.
"""

import time

import numpy as np

from pliant.bench.bare_loop import run_bare
from pliant.bench.figure import Figure
from pliant.bench.rig import running_controller

CPU_BOUND = 3.0

_RATE = 500.0
_SETTLE = 0.5


def measure_cpu(turns: int, seconds: float) -> dict[str, Figure]:
    """Measure processor times; each is the median over the turns.

    Args:
        turns: Number of turns of each measurement.
        seconds: Duration of a turn.
    """
    measured = np.array([_turn(seconds) for _ in range(turns)])
    own, simulated, bare, stepping = np.median(measured, axis=0).tolist()
    figures = {
        "controller_cpu": (own, "controller without an arm", CPU_BOUND),
        "controller_cpu_simulated": (simulated, "controller with a simulated arm", CPU_BOUND),
        "controller_cpu_less_physics": (
            simulated - (stepping - bare),
            "controller with a simulated arm, minus its physics",
            CPU_BOUND,
        ),
        "bare_cpu": (bare, "loop that only wakes up", None),
        "bare_cpu_simulated": (stepping, "loop that only steps the simulated arm", None),
    }
    what = f"processor time at {_RATE:g} Hz"
    return {
        name: Figure(value=value, unit="% of a core", meaning=f"{what}, {case}", bound=bound)
        for name, (value, case, bound) in figures.items()
    }


def _turn(seconds: float) -> tuple[float, float, float, float]:
    """Percentage of a core: controller, controller with simulated arm, and the same bare loops."""
    return (
        _controller_cpu(seconds, physics=False),
        _controller_cpu(seconds, physics=True),
        _bare_cpu(seconds, "idle"),
        _bare_cpu(seconds, "physics"),
    )


def _controller_cpu(seconds: float, physics: bool) -> float:
    with running_controller(_RATE, physics=physics) as rig:
        time.sleep(_SETTLE)
        start, before = time.monotonic(), rig.cpu_seconds()
        time.sleep(seconds)
        return 100.0 * (rig.cpu_seconds() - before) / (time.monotonic() - start)


def _bare_cpu(seconds: float, work: str) -> float:
    return 100.0 * float(run_bare(_RATE, seconds, work)) / seconds
