"""The telemetry line of the line protocol."""

from functools import cache

import numpy as np

from pliant.kernels import Row, kernel
from pliant.spatial import Array, quat_log
from pliant.tick import Rows, Tick

_GROUPS = ("tcp", "ref", "ws", "wd")


def telemetry_line(tick: Rows) -> str:
    """`TELEM: t=<s> tcp=… ref=… ws=… wd=… q=… T=…`, poses with rotation vectors."""
    n = tick["q"].shape[1]
    values = np.empty(25 + 2 * n)
    collect(tick, values)
    return _format(n) % tuple(values.tolist())


@cache
def _format(n: int) -> str:
    groups = [f"{name}={','.join(['%.7g'] * 6)}" for name in _GROUPS]
    joints = [f"{name}={','.join(['%.7g'] * n)}" for name in ("q", "T")]
    return " ".join(["TELEM: t=%.4f", *groups, *joints])


@kernel
def collect(tick: Row[Tick], out: Array) -> None:
    """The numbers of the line in their order."""
    t = tick[0]
    out[0] = t.time
    for i in range(3):
        out[1 + i] = t.X_WT[i]
        out[7 + i] = t.X_WR[i]
    quat_log(t.X_WT[3:], out[4:7])
    quat_log(t.X_WR[3:], out[10:13])
    for i in range(6):
        out[13 + i] = t.w_T[i]
        out[19 + i] = t.w_desired_T[i]
    n = t.q.shape[0]
    for j in range(n):
        out[25 + j] = t.q[j]
        out[25 + n + j] = t.temperature[j]
