"""Memory growth of the loop."""

import os
import sys
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

from pliant.bench.figure import Figure
from pliant.bench.null_robot import compliant_loop

GROWTH_BOUND = 256.0
"""Allowed growth from the allocator itself, kB; one byte per tick would be four times as much."""

_SETTLE = 20_000


def measure_memory(ticks: int) -> dict[str, Figure]:
    """Measure the growth of resident memory over a number of ticks without physics."""
    loop = compliant_loop()
    for _ in range(_SETTLE):
        loop.step()
    before = resident_kB()
    for _ in range(ticks):
        loop.step()
    growth = resident_kB() - before
    meaning = f"growth of resident memory over {ticks:g} ticks"
    return {"memory_growth": Figure(value=growth, unit="kB", meaning=meaning, bound=GROWTH_BOUND)}


def resident_kB() -> float:
    """Resident memory of this process, or its peak if the system reports only that."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1024.0
    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return peak / 1024.0 if sys.platform == "darwin" else float(peak)
