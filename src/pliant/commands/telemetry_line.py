"""The telemetry line: `TELEM: t=<s> tcp=… ref=… ws=… wd=… q=… T=…`, poses as rotation vectors."""

from functools import cache
from math import pi

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import Array, norm3, quat_log
from pliant.tick import Rows, Tick

_NUMBER = "%.8g"
"""Eight significant digits: tenths of a micrometre within reach of any arm."""


def telemetry_line(tick: Rows, before: Array | None = None) -> str:
    """The line of a tick.

    Args:
        tick: The tick.
        before: The numbers of the line before, from `first_numbers`; they become those of this one.
            Rotation vectors then continue from it, also where a turn passes π.
    """
    n = tick["q"].shape[1]
    values = first_numbers(n) if before is None else before
    collect(tick, values)
    # + 0.0 writes a negative zero as 0
    return _form(n) % tuple((values + 0.0).tolist())


def first_numbers(n: int) -> Array:
    """What precedes the first line of an arm with n joints."""
    return np.zeros(25 + 2 * n)


@cache
def _form(n: int) -> str:
    """The line of an arm with n joints, for one `%`: twice as fast as anything else in Python."""
    groups = {"tcp": 6, "ref": 6, "ws": 6, "wd": 6, "q": n, "T": n}
    parts = [f"{name}={','.join([_NUMBER] * size)}" for name, size in groups.items()]
    return " ".join(["TELEM: t=%.12g", *parts])


@kernel
def collect(tick: Row[Tick], out: Array) -> None:
    """Write the numbers of the line in their order over those of the line before."""
    t = tick[0]
    out[0] = t.time
    for i in range(3):
        out[1 + i] = t.X_WT[i]
        out[7 + i] = t.X_WR[i]
    _continue_rotation(t.X_WT[3:], out[4:7])
    _continue_rotation(t.X_WR[3:], out[10:13])
    for i in range(6):
        out[13 + i] = t.w_T[i]
        out[19 + i] = t.w_desired_T[i]
    n = t.q.shape[0]
    for j in range(n):
        out[25 + j] = t.q[j]
        out[25 + n + j] = t.temperature[j]


@kernel
def _continue_rotation(q: Array, out: Array) -> None:
    """Write the rotation vector of q over the last one: of its two forms the nearer one.

    The turn by 2π less about the same axis is the same rotation. A tool that points straight down
    is turned by about π, so that noise alone would choose between the two. The other form is used
    up to an angle of 3π/2, far enough from π for noise to decide nothing.
    """
    r = scratch(3)
    quat_log(q, r)
    angle = norm3(r)
    if angle > 0.5 * pi:
        other = 1.0 - 2.0 * pi / angle
        far, near = 0.0, 0.0
        for i in range(3):
            far += (r[i] - out[i]) ** 2
            near += (other * r[i] - out[i]) ** 2
        if near < far:
            for i in range(3):
                r[i] *= other
    for i in range(3):
        out[i] = r[i]
