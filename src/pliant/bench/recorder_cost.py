"""Lateness that a recorder adds to its controller, compared with the noise."""

import numpy as np

from pliant.bench.figure import Figure
from pliant.numerics.spatial import Array

NOISE_BOUND = 1.0

_QUANTILES = {"p50": 50.0, "p99": 99.0}
_MIN_NOISE = 0.1
"""Smallest noise to assume, as a fraction of the lateness; an idle machine has this much."""


def recorder_figures(alone: list[Array], recorded: list[Array], lost: int) -> dict[str, Figure]:
    """Lateness added by a recorder, in units of the noise.

    The noise is the range of the turns of one kind.

    Args:
        alone: Lateness of each tick in each turn without a recorder, s.
        recorded: The same with a recorder.
        lost: Number of ticks missing in the recordings.
    """
    figures: dict[str, Figure] = {}
    for name, percent in _QUANTILES.items():
        without, with_recorder = (
            np.array([1e6 * np.percentile(late, percent) for late in turns])
            for turns in (alone, recorded)
        )
        baseline = float(np.median(without))
        noise = max(np.ptp(without), np.ptp(with_recorder), _MIN_NOISE * baseline)
        figures[f"recorder_lateness_{name}"] = Figure(
            value=(float(np.median(with_recorder)) - baseline) / float(noise),
            unit="× noise",
            meaning=f"lateness added by a recorder, {name}",
            bound=NOISE_BOUND,
            microseconds=float(np.median(with_recorder)),
        )
    figures["recorder_lost"] = Figure(
        value=float(lost), unit="ticks", meaning="ticks lost by the recorder", bound=0.0
    )
    return figures
