"""Parameters of the wrench stage."""

from typing import Annotated

from pydantic import Field

from pliant.params import Params, Positive, SixNonNegative, SixPositive, param


class WrenchConfig(Params):
    """Filter, dead band and checks of the wrench.

    The filter and the dead band are for the laws: the contact limit takes the wrench before them.
    """

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
        0.05,
        "s",
        "Time without a new reading after which the sensor is stale.",
        le=0.2,
    )
    plausible: tuple[
        Annotated[float, Field(gt=0.0, le=100.0)], Annotated[float, Field(gt=0.0, le=10.0)]
    ] = param(
        (30.0, 3.0), "N, N·m", "Largest plausible force and torque at rest, without an active law."
    )
    bias: tuple[
        Annotated[float, Field(gt=0.0, le=100.0)], Annotated[float, Field(gt=0.0, le=10.0)]
    ] = param(
        (10.0, 1.0),
        "N, N·m",
        "Largest bias that the first zeroing accepts; more is a load, or a wrong weight of the "
        "tool.",
    )
    drift: tuple[
        Annotated[float, Field(gt=0.0, le=10.0)], Annotated[float, Field(gt=0.0, le=1.0)]
    ] = param(
        (5.0, 0.5),
        "N, N·m",
        "Largest change of the bias that a later zeroing accepts; more is a load on the tool.",
    )
