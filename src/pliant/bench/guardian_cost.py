"""What a guardian costs: the lateness that it adds to its controller, and its processor time.

Controllers without physics, with and without a guardian as strict as that of a real arm, take
turns. The result is the median over the turns.
"""

import time
from statistics import median

import numpy as np

from pliant.bench.figure import Figure
from pliant.bench.rig import cpu_seconds, null_controller

LATENESS_BOUND = 1.05
CPU_BOUND = 2.0

_ARM = "ur5e"
_SETTLE = 0.5


def measure_guardian(turns: int, seconds: float) -> dict[str, Figure]:
    """Measure controllers with and without a guardian.

    Args:
        turns: Number of turns of each.
        seconds: Duration of a turn.
    """
    alone, guarded, shares = [], [], []
    for _ in range(turns):
        alone.append(_turn(seconds, False)[0])
        late, share = _turn(seconds, True)
        guarded.append(late)
        shares.append(share)
    return {
        "guardian_lateness_p99": Figure(
            value=median(guarded) / median(alone),
            unit="×",
            meaning="lateness of the loop with a guardian, relative to none, p99",
            bound=LATENESS_BOUND,
            microseconds=1e6 * median(guarded),
        ),
        "guardian_cpu": Figure(
            value=100.0 * median(shares),
            unit="% of a core",
            meaning="processor time of the guardian of a real arm",
            bound=CPU_BOUND,
        ),
    }


def _turn(seconds: float, guarded: bool) -> tuple[float, float]:
    """The 99th percentile of the lateness, s, and the guardian's processor time per second."""
    with null_controller(_ARM, guarded) as rig:
        time.sleep(_SETTLE)
        list(rig.ring.ticks())
        guardian = rig.ring.guardian
        start, before = time.monotonic(), cpu_seconds(guardian) if guarded else 0.0
        late: list[float] = []
        while time.monotonic() < start + seconds:
            time.sleep(_SETTLE)
            late += [row["lateness"].item() for row in rig.ring.ticks()]
        used = cpu_seconds(guardian) - before if guarded else 0.0
        return float(np.percentile(late, 99)), used / (time.monotonic() - start)
