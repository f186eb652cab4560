"""A torque arm's estimates of external torque and wrench, from its joint torque sensors.

τ_ext is the external joint torque, low-pass filtered, with white noise, a constant bias (the model
of a real arm is not exact either) and the friction of bearings and seals beyond the sensors. The
wrench on the tool is computed from it as on the real arm, w = (J·Jᵀ)⁻¹·J·τ_ext, and is equally
inaccurate near a singularity.
"""

from functools import cache

import numpy as np

from pliant.numerics.filters import smoothing
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.linalg import cholesky, cholesky_solve
from pliant.numerics.spatial import Array
from pliant.params import Params, param
from pliant.sim.sensor import BLOCK
from pliant.tick import N, Tick, column, table_dtype


class EstimateConfig(Params):
    """Errors of a torque arm's estimates."""

    noise: float = param(0.05, "N·m", "Noise of tau_ext, one sigma.", ge=0.0, le=10.0)
    bias: float = param(0.1, "N·m", "Largest bias of tau_ext at start.", ge=0.0, le=10.0)
    friction: float = param(
        0.2,
        "1",
        "Share of the joints' friction beyond the torque sensors, which tau_ext contains.",
        ge=0.0,
        le=1.0,
    )
    cutoff: float = param(30.0, "Hz", "Cut-off of the filter of tau_ext.", gt=0.0, le=500.0)


class Estimate:
    """Constants and state of the estimator, one row."""

    sigma: float = column("sim", (), "N·m", "Noise.")
    share: float = column("sim", (), "1", "Step of the low-pass in one tick.")
    bias: Array = column("sim", (N,), "N·m", "Bias.")
    filtered: Array = column("sim", (N,), "N·m", "External torque, filtered.")
    draw: int = column("sim", (), "1", "Next row of the random block.")
    random: Array = column("sim", (BLOCK, N), "1", "Standard normal numbers.")


@cache
def estimate_dtype(n: int) -> np.dtype:
    """The dtype of the row; one object per n, as for the tick."""
    return table_dtype(Estimate, n)


def new_estimate(
    config: EstimateConfig, rng: np.random.Generator, period: float, n: int
) -> np.ndarray:
    """A row of the estimator, its bias drawn."""
    row = np.zeros(1, estimate_dtype(n))
    row["sigma"] = config.noise
    row["share"] = smoothing(config.cutoff, period)
    row["bias"] = config.bias * rng.uniform(-1.0, 1.0, n)
    redraw(row, rng)
    return row


def redraw(row: np.ndarray, rng: np.random.Generator) -> None:
    """Draw the next block of random numbers."""
    row["random"][0] = rng.standard_normal(row["random"][0].shape)
    row["draw"] = 0


@kernel
def tool_jacobian(cdof: Array, p_WC: Array, p_WT: Array, out: Array) -> None:
    """Write the Jacobian of T from the joints' unit velocities, angular first, at the point C."""
    x, y, z = p_WT[0] - p_WC[0], p_WT[1] - p_WC[1], p_WT[2] - p_WC[2]
    for j in range(out.shape[1]):
        a, b, c = cdof[j, 0], cdof[j, 1], cdof[j, 2]
        out[0, j] = cdof[j, 3] + b * z - c * y
        out[1, j] = cdof[j, 4] + c * x - a * z
        out[2, j] = cdof[j, 5] + a * y - b * x
        out[3, j], out[4, j], out[5, j] = a, b, c


@kernel
def estimate(
    row: Row[Estimate],
    tau_ext: Array,
    cdof: Array,
    p_WC: Array,
    p_WT: Array,
    R_WT: Array,
    tick: Row[Tick],
) -> None:
    """Write one estimate into `tau_ext` and `w_ext_T`.

    Args:
        row: The estimator's row.
        tau_ext: True external joint torques, mean over the period, N·m.
        cdof: Unit velocities of the joints, angular first, at the point C.
        p_WC: The point C.
        p_WT: The TCP.
        R_WT: Orientation of the tool.
        tick: Out.
    """
    e, t = row[0], tick[0]
    n = e.filtered.size
    for j in range(n):
        e.filtered[j] += e.share * (tau_ext[j] - e.filtered[j])
        t.tau_ext[j] = e.filtered[j] + e.bias[j] + e.sigma * e.random[e.draw, j]
    e.draw = (e.draw + 1) % BLOCK
    J, JJ, w = np.empty((6, n)), np.zeros((6, 6)), np.zeros(6)
    tool_jacobian(cdof, p_WC, p_WT, J)
    for i in range(6):
        for j in range(n):
            w[i] += J[i, j] * t.tau_ext[j]
            for k in range(i + 1):
                JJ[i, k] += J[i, j] * J[k, j]
    cholesky(JJ)
    cholesky_solve(JJ, w)
    for i in range(3):
        t.w_ext_T[i] = R_WT[0, i] * w[0] + R_WT[1, i] * w[1] + R_WT[2, i] * w[2]
        t.w_ext_T[3 + i] = R_WT[0, i] * w[3] + R_WT[1, i] * w[4] + R_WT[2, i] * w[5]
