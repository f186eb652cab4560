"""Parameters of the wrench stage."""

from pliant.params import Pair, Params, Positive, SixNonNegative, SixPositive, param


class WrenchConfig(Params):
    """Filter, dead band and checks of the wrench."""

    cutoff: Positive = param(30.0, "Hz", "Cut-off of the first-order low-pass.")
    dead_band: SixNonNegative = param(
        (0.5, 0.04),
        "N, N·m",
        "Zero below it, identity above twice it, continuous between; per axis of T.",
    )
    sensor_range: SixPositive = param(
        (300.0, 30.0), "N, N·m", "Readings this large count as saturated; per axis of S."
    )
    zero_time: Positive = param(0.25, "s", "Averaging time of zeroing.", le=10.0)
    stale_after: Positive = param(
        0.05, "s", "Time without a new reading after which the sensor is stale."
    )
    plausible: Pair = param(
        (30.0, 3.0), "N, N·m", "Largest plausible force and torque at rest, without an active law."
    )
