"""Joint temperatures: T' = (T_ambient + R τ² − T) / τ_thermal."""

from functools import cache
from math import exp

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.spatial import Array
from pliant.params import Params, param
from pliant.tick import N, Tick, column, table_dtype


class ThermalConfig(Params):
    """How the joints warm up. Holding its own weight a UR5e settles some 10 to 20 K up."""

    ambient: float = param(25.0, "°C", "Ambient temperature.", ge=-20.0, le=60.0)
    start: float = param(25.0, "°C", "Temperature at start.", ge=-20.0, le=120.0)
    rise: float = param(
        120.0, "K", "Rise in the end at full torque; goes as torque².", ge=0.0, le=1000.0
    )
    time_constant: float = param(600.0, "s", "Time constant of warming.", gt=0.0)


class Thermal:
    """One row: the constants and the temperatures."""

    ambient: float = column("sim", (), "°C", "Ambient temperature.")
    decay: float = column("sim", (), "1", "What remains of a difference after one tick.")
    resistance: Array = column("sim", (N,), "K/(N·m)²", "Rise in the end per torque squared.")
    temperature: Array = column("sim", (N,), "°C", "Temperatures now.")


@cache
def thermal_dtype(n: int) -> np.dtype:
    """The dtype of the thermal row; one object per n, as for the tick."""
    return table_dtype(Thermal, n)


def new_thermal(config: ThermalConfig, tau_max: Array, period: float) -> np.ndarray:
    """A row at the start temperature."""
    row = np.zeros(1, thermal_dtype(len(tau_max)))
    row["ambient"] = config.ambient
    row["decay"] = exp(-period / config.time_constant)
    row["resistance"] = config.rise / tau_max**2
    row["temperature"] = config.start
    return row


@kernel
def warm(thermal: Row[Thermal], tick: Row[Tick]) -> None:
    """Advance by one tick of the torques in it; writes `temperature`."""
    h = thermal[0]
    t = tick[0]
    for i in range(h.temperature.size):
        final = h.ambient + h.resistance[i] * t.tau[i] * t.tau[i]
        h.temperature[i] = final + (h.temperature[i] - final) * h.decay
        t.temperature[i] = h.temperature[i]
