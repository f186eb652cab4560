"""What a recorder costs the controller that it records: nothing that can be told from noise."""

import numpy as np

from pliant.bench.figure import Figure
from pliant.numerics.spatial import Array

NOISE_BOUND = 1.0

_QUANTILES = {"p50": 50.0, "p99": 99.0}
_LEAST_NOISE = 0.1
"""Share of a lateness within which two turns are alike on the calmest machine."""


def recorder_figures(alone: list[Array], recorded: list[Array], lost: int) -> dict[str, Figure]:
    """How much later the ticks of a recorded controller are, in units of the noise.

    The noise is how far the turns of one kind lie apart.

    Args:
        alone: Lateness of each tick in each turn without a recorder, s.
        recorded: The same with one.
        lost: How many ticks the recordings lack.
    """
    figures: dict[str, Figure] = {}
    for name, percent in _QUANTILES.items():
        without, beside = (
            np.array([1e6 * np.percentile(late, percent) for late in turns])
            for turns in (alone, recorded)
        )
        usual = float(np.median(without))
        noise = max(np.ptp(without), np.ptp(beside), _LEAST_NOISE * usual)
        figures[f"recorder_lateness_{name}"] = Figure(
            value=(float(np.median(beside)) - usual) / float(noise),
            unit="× noise",
            meaning=f"lateness added by a recorder, {name}",
            bound=NOISE_BOUND,
            microseconds=float(np.median(beside)),
        )
    figures["recorder_lost"] = Figure(
        value=float(lost), unit="ticks", meaning="ticks that the recorder lost", bound=0.0
    )
    return figures
