"""Processor time of controllers without physics, compared with bare loops.

A CPU that sleeps between ticks runs everything slower than at full speed, including its wake-up; a
bare loop at the same rate shows by how much.
"""

import time
from statistics import median

from pliant.arms.description import arm_names, load_arm
from pliant.bench.bare_loop import run_bare
from pliant.bench.figure import Figure
from pliant.bench.rig import null_controller

CPU_BOUND = 2.2

_SETTLE = 0.5


def measure_cpu(turns: int, seconds: float) -> dict[str, Figure]:
    """Measure the processor time of a controller of each arm, relative to a bare loop.

    Args:
        turns: Number of turns of each measurement; each figure is the median over them.
        seconds: Duration of a turn.
    """
    rates = {arm: load_arm(arm).rate for arm in arm_names()}
    bare: dict[float, list[float]] = {rate: [] for rate in rates.values()}
    own: dict[str, list[float]] = {arm: [] for arm in rates}
    for _ in range(turns):
        for rate, shares in bare.items():
            shares.append(float(run_bare(rate, seconds, "cpu")) / seconds)
        for arm, shares in own.items():
            shares.append(_controller_cpu(arm, seconds))
    return {
        **{f"controller_cpu_{arm}": _ratio(arm, own[arm], bare[rates[arm]]) for arm in rates},
        **{f"bare_cpu_{rate:g}": _share(rate, shares) for rate, shares in bare.items()},
    }


def _ratio(arm: str, own: list[float], bare: list[float]) -> Figure:
    return Figure(
        value=median(o / b for o, b in zip(own, bare, strict=True)),
        unit="×",
        meaning=f"processor time of a controller of a {arm} without physics, to a bare loop's",
        bound=CPU_BOUND,
    )


def _share(rate: float, shares: list[float]) -> Figure:
    meaning = f"processor time at {rate:g} Hz, loop that only wakes up"
    return Figure(value=100.0 * median(shares), unit="% of a core", meaning=meaning)


def _controller_cpu(arm: str, seconds: float) -> float:
    with null_controller(arm) as rig:
        time.sleep(_SETTLE)
        start, before = time.monotonic(), rig.cpu_seconds()
        time.sleep(seconds)
        return (rig.cpu_seconds() - before) / (time.monotonic() - start)
