"""Joint temperatures: T' = (T_ambient + R τ² − T) / τ_thermal."""

from functools import cache
from math import exp

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.spatial import Array
from pliant.params import Params, Positive, param
from pliant.tick import N, Tick, column, table_dtype


class ThermalConfig(Params):
    """Heating of the joints. Gravity alone heats a UR5e by about 10 to 20 K."""

    ambient: float = param(25.0, "°C", "Ambient temperature.", ge=-20.0, le=60.0)
    start: float = param(25.0, "°C", "Temperature at start.", ge=-20.0, le=120.0)
    rise: float = param(
        120.0, "K", "Steady-state rise at full torque; proportional to torque².", ge=0.0, le=1000.0
    )
    time_constant: Positive = param(600.0, "s", "Thermal time constant.")


class Thermal:
    """Constants and temperatures, one row."""

    ambient: float = column("sim", (), "°C", "Ambient temperature.")
    decay: float = column("sim", (), "1", "Decay factor of a difference in one tick.")
    resistance: Array = column("sim", (N,), "K/(N·m)²", "Steady-state rise per torque squared.")
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
    """Advance by one tick with its torques; writes `temperature`."""
    h = thermal[0]
    t = tick[0]
    for i in range(h.temperature.size):
        final = h.ambient + h.resistance[i] * t.tau[i] * t.tau[i]
        h.temperature[i] = final + (h.temperature[i] - final) * h.decay
        t.temperature[i] = h.temperature[i]
