"""An observer of joint friction: what accelerates the arm beside its torques and what it touches.

    f = M·q̈ + c − τ_sent − Jᵀ·w,    low-passed

with w the wrench on the tool as measured. f is the friction of the joints, and the error of the
arm's own compensation of gravity. A law that subtracts it from its torque moves the tool as if the
joints were free; while a joint sticks, the observed friction grows until the joint follows.

After L. Le Tien, A. Albu-Schäffer et al., "Friction observer and compensation for control of robots
with joint torque measurement", 2008; here the wrist sensor takes the place of that in the joints.
"""

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import Array, rotate_pair
from pliant.tick import Tick


@kernel
def observe_friction(
    prev: Row[Tick], tick: Row[Tick], time: float, most: Array, before: Array, now: Array
) -> None:
    """Write the friction torque of each joint on its links, N·m.

    Args:
        prev: The previous tick.
        tick: This tick.
        time: Time constant of the low-pass, s.
        most: Bound of each joint's friction, N·m.
        before: What was observed in the previous tick.
        now: Out: what is observed in this one.
    """
    a, t = prev[0], tick[0]
    n, w_W = t.q.shape[0], scratch(6)
    rotate_pair(t.X_WT[3:], t.w_T_raw, w_W)
    share = t.dt / (time + t.dt)
    for j in range(n):
        f = t.c[j] - a.tau_sent[j]
        for k in range(n):
            f += t.M[j, k] * (t.qd[k] - a.qd[k]) / t.dt
        for i in range(6):
            f -= t.J_W[i, j] * w_W[i]
        f = before[j] + share * (f - before[j])
        now[j] = max(-most[j], min(most[j], f)) if np.isfinite(f) else before[j]
