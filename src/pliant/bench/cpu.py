"""What processor time a controller takes that is left alone, beside loops that do less.

On a machine that sleeps between ticks everything is slower than at full speed, waking up included:
a bare loop says how much. Physics alone may take more than a controller is allowed, so there is a
figure without what it adds to a bare loop too.
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
    """The figures, each the median of its turns.

    Args:
        turns: How often each takes its turn.
        seconds: How long processor time is counted in a turn.
    """
    taken = np.array([_turn(seconds) for _ in range(turns)])
    own, simulated, bare, stepping = np.median(taken, axis=0).tolist()
    figures = {
        "controller_cpu": (own, "of the controller, the arm not included", CPU_BOUND),
        "controller_cpu_simulated": (simulated, "with a simulated arm", CPU_BOUND),
        "controller_cpu_less_physics": (
            simulated - (stepping - bare),
            "with a simulated arm, less what that adds to a bare loop",
            CPU_BOUND,
        ),
        "bare_cpu": (bare, "of a loop that only wakes up", None),
        "bare_cpu_simulated": (stepping, "of a loop that only steps the simulated arm", None),
    }
    what = f"processor time at {_RATE:g} Hz"
    return {
        name: Figure(value=value, unit="% of a core", meaning=f"{what} {whose}", bound=bound)
        for name, (value, whose, bound) in figures.items()
    }


def _turn(seconds: float) -> tuple[float, float, float, float]:
    """Percent of a core: a controller, one with a simulated arm, and the same of a bare loop."""
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
