"""The wrist sensor between flange and tool, with its errors and faults.

It measures the load on its tool side in its frame S: the wrench on the tool, the tool's weight and
its inertial force, with an initial bias, a slow drift and white noise.
"""

from enum import IntEnum
from functools import cache

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.spatial import Array
from pliant.params import Params, Positive, param
from pliant.tick import Tick, column, table_dtype

BLOCK = 512
"""Number of ticks per block of random numbers."""


class SensorFault(IntEnum):
    """Faults of a sensor, for tests."""

    NONE = 0
    FROZEN = 1
    NAN = 2
    SATURATED = 3


class SensorConfig(Params):
    """A sensor similar to the Robotiq FT 300."""

    noise_force: float = param(0.1, "N", "Noise, one sigma.", ge=0.0, le=10.0)
    noise_torque: float = param(0.005, "N·m", "Noise, one sigma.", ge=0.0, le=1.0)
    bias_force: float = param(3.0, "N", "Largest bias at start.", ge=0.0, le=50.0)
    bias_torque: float = param(0.2, "N·m", "Largest bias at start.", ge=0.0, le=5.0)
    drift_force: float = param(
        0.002, "N/√s", "Random walk of the bias, one sigma after 1 s.", ge=0.0, le=1.0
    )
    drift_torque: float = param(
        0.0001, "N·m/√s", "Random walk of the bias, one sigma.", ge=0.0, le=0.1
    )
    range_force: Positive = param(300.0, "N", "Reading at which it saturates.")
    range_torque: Positive = param(30.0, "N·m", "Reading at which it saturates.")


class Sensor:
    """Constants and state of the sensor, one row. Forces come first, then torques."""

    sigma: Array = column("sim", (6,), "N, N·m", "Noise.")
    drift_sigma: Array = column("sim", (6,), "N, N·m", "Step of the drift in one tick.")
    bias: Array = column("sim", (6,), "N, N·m", "Bias now, drift included.")
    limit: Array = column("sim", (6,), "N, N·m", "Range.")
    load_sum: Array = column("sim", (6,), "N, N·m", "Sum of the loads since the last reading.")
    loads: int = column("sim", (), "1", "Number of those loads.")
    w_S: Array = column("sim", (6,), "N, N·m", "The last reading.")
    seq: int = column("sim", (), "1", "Counts readings.")
    fault: int = column("sim", (), "1", "A `SensorFault`.")
    draw: int = column("sim", (), "1", "Next row of the random block.")
    random: Array = column("sim", (BLOCK, 12), "1", "Standard normal numbers.")


@cache
def sensor_dtype() -> np.dtype:
    """The dtype of the sensor's row; one object, as for the tick."""
    return table_dtype(Sensor, 0)


def new_sensor(config: SensorConfig, rng: np.random.Generator, period: float) -> np.ndarray:
    """A row of the sensor, its bias drawn."""
    row = np.zeros(1, sensor_dtype())

    def six(force: float, torque: float) -> Array:
        return np.array([force] * 3 + [torque] * 3)

    row["sigma"] = six(config.noise_force, config.noise_torque)
    row["drift_sigma"] = six(config.drift_force, config.drift_torque) * np.sqrt(period)
    row["bias"] = six(config.bias_force, config.bias_torque) * rng.uniform(-1.0, 1.0, 6)
    row["limit"] = six(config.range_force, config.range_torque)
    refill(row, rng)
    return row


def refill(row: np.ndarray, rng: np.random.Generator) -> None:
    """Draw the next block of random numbers."""
    row["random"][0] = rng.standard_normal((BLOCK, 12))
    row["draw"] = 0


@kernel
def add_load(sensor: Row[Sensor], load_S: Array) -> None:
    """Add the load of one physics step.

    Args:
        sensor: The sensor's row.
        load_S: Wrench of the flange on the tool side, in S: the physics engine's sign.
    """
    s = sensor[0]
    for i in range(6):
        s.load_sum[i] += load_S[i]
    s.loads += 1


@kernel
def sense(sensor: Row[Sensor], tick: Row[Tick]) -> None:
    """Write one reading into `w_S_raw` and `sensor_seq`: the mean load since the last reading.

    A real sensor averages too. A single physics step would miss the tool's inertial force, because
    an arm without lag changes its speed only in the first step of a period.
    """
    s = sensor[0]
    t = tick[0]
    for i in range(6):
        s.bias[i] += s.drift_sigma[i] * s.random[s.draw, 6 + i]
        if s.fault != SensorFault.FROZEN:
            load = s.load_sum[i] / s.loads
            reading = s.bias[i] - load + s.sigma[i] * s.random[s.draw, i]
            if s.fault == SensorFault.SATURATED:
                reading = s.limit[i]
            s.w_S[i] = min(max(reading, -s.limit[i]), s.limit[i])
        t.w_S_raw[i] = np.nan if s.fault == SensorFault.NAN else s.w_S[i]
        s.load_sum[i] = 0.0
    s.loads = 0
    s.draw = (s.draw + 1) % BLOCK
    if s.fault != SensorFault.FROZEN:
        s.seq += 1
    t.sensor_seq = s.seq
