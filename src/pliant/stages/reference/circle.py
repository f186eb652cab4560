"""The circle reference of the tool."""

from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.profiles import SETTLING_3
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import Array, pose_error, pose_step, rotate_pair, unrotate_pair
from pliant.params import KernelParams
from pliant.stages.reference.config import ReferenceConfig
from pliant.stages.reference.curves import decay
from pliant.stages.reference.kinds import RefKind
from pliant.tick import Tick

_CIRCLE = RefKind.CIRCLE.value


@dataclass(frozen=True, kw_only=True, eq=False)
class CircleParams(KernelParams):
    """Parameters of the circle.

    Attributes:
        radius: Radius, m.
        period: Time for one turn, s.
        ramp: How long the soft start takes, s.
        first: Number of the world's axis along which the circle begins; the next one is the second.
        settle_rate: Rate at which a difference from the circle decays, 1/s.
    """

    radius: float
    period: float
    ramp: float
    first: int
    settle_rate: float


def circle_params(config: ReferenceConfig) -> np.ndarray:
    """The parameters of the circle, as a row."""
    circle = config.circle
    return CircleParams(
        radius=0.5 * circle.diameter,
        period=circle.period,
        ramp=circle.ramp,
        first="xyz".index(circle.plane[0]),
        settle_rate=SETTLING_3 / config.settle,
    ).row()


@kernel
def circle_kernel(
    prev: Row[Tick], tick: Row[Tick], p: Row[CircleParams], start: Array, v_W: Array
) -> None:
    """Move the tool's reference along the circle that starts at X_WR_target.

    x = x₀ + r·((cos θ − 1)·e₁ + sin θ·e₂), with a soft start of θ. An initial difference from the
    circle, in position, orientation and motion, decays.

    Args:
        prev: The previous tick.
        tick: This tick.
        p: The parameters.
        start: Pose from which the reference continues.
        v_W: Its velocity there, in W.
    """
    a, t, c = prev[0], tick[0], p[0]
    continues = a.ref_kind == _CIRCLE and a.ref_since == t.ref_since and a.law_seq == t.law_seq
    before = a.ref_rate if continues else 0.0
    phase = a.ref_phase if continues else 0.0
    t.ref_rate = min(1.0, before + t.dt / c.ramp)
    t.ref_phase = phase + t.ref_rate * t.dt / c.period
    t.ref_done = 0
    # position, velocity and acceleration, by row
    then, now, r, X = scratch_matrix(3, 3), scratch_matrix(3, 3), scratch_matrix(3, 6), scratch(7)
    _on_circle(p, phase, before, 1.0 / c.ramp if 0.0 < before < 1.0 else 0.0, then)
    _on_circle(p, t.ref_phase, t.ref_rate, (t.ref_rate - before) / t.dt, now)
    X[:] = t.X_WR_target[:]
    pose_error(X, start, r[0])
    unrotate_pair(X[3:], v_W, r[1])
    unrotate_pair(X[3:], a.a_WR_W, r[2])
    for i in range(3):
        r[0, i] = start[i] - X[i] - then[0, i]
        r[1, i] = v_W[i] - then[1, i]
        r[2, i] = a.a_WR_W[i] - then[2, i]
    for i in range(6):
        r[0, i], r[1, i], r[2, i] = decay(r[0, i], r[1, i], r[2, i], c.settle_rate, t.dt)
    for i in range(3):
        X[i] += now[0, i] + r[0, i]
        r[0, i] = 0.0
    pose_step(X, r[0], t.X_WR)
    rotate_pair(X[3:], r[1], t.v_WR_W)
    rotate_pair(X[3:], r[2], t.a_WR_W)
    for i in range(3):
        t.v_WR_W[i] = now[1, i] + r[1, i]
        t.a_WR_W[i] = now[2, i] + r[2, i]


@kernel
def _on_circle(
    p: Row[CircleParams], phase: float, rate: float, rate_slope: float, out: Array
) -> None:
    """Displacement from the start after `phase` turns, its velocity and acceleration, by row."""
    c = p[0]
    i, j = c.first, (c.first + 1) % 3
    angle, w = 2.0 * pi * phase, 2.0 * pi * rate / c.period
    w_slope = 2.0 * pi * rate_slope / c.period
    s, k = c.radius * sin(angle), c.radius * cos(angle)
    out[:] = 0.0
    out[0, i], out[0, j] = k - c.radius, s
    out[1, i], out[1, j] = -w * s, w * k
    out[2, i], out[2, j] = -w * w * k - w_slope * s, -w * w * s + w_slope * k
