"""Gains per joint: parameters, stability check, ramps, and the springs and dampers themselves."""

from dataclasses import dataclass

import numpy as np

from pliant.errors import ConfigError
from pliant.laws.gain_ramp import gain_share
from pliant.laws.law_base import is_fresh
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.linalg import cholesky, cholesky_solve
from pliant.numerics.spatial import Array
from pliant.params import KernelParams
from pliant.tick import MOST_JOINTS, Tick, column, table_dtype


class State:
    """State of a law in joint space."""

    K: Array = column("law", (MOST_JOINTS,), "", "Gain on the position error now.")
    D: Array = column("law", (MOST_JOINTS,), "", "Gain on the velocity error now.")


STATE = table_dtype(State, 0)
STATE_SIZE = STATE.itemsize // 8


@dataclass(frozen=True, kw_only=True, eq=False)
class Gains(KernelParams):
    """Parameters of the laws in joint space.

    Attributes:
        K: Configured gain on the position error, per joint.
        D: Configured gain on the velocity error, per joint.
        gain_ramp: How long a change of gains takes, s.
        tau_rate_max: The arm's torque rate limits, N·m/s.
    """

    K: Array
    D: Array
    gain_ramp: float
    tau_rate_max: Array


def refuse_unstable(K: Array, D: Array, inertia: Array, dt: float, units: tuple[str, str]) -> None:
    """Refuse gains that cannot be stable at a period.

    Args:
        K: Gain on the position, per joint.
        D: Gain on the velocity, per joint.
        inertia: Smallest inertia of each joint.
        dt: The period, s.
        units: Names of K and D for the message.

    Raises:
        ConfigError: A joint has no damping, or D·dt/M or K·dt²/M exceeds 1.
    """
    stiffness, damping = units
    for j, (k, d, m) in enumerate(zip(K, D, inertia, strict=True)):
        if d <= 0.0:
            raise ConfigError(
                f"joint {j} has no damping: it would never come to rest; raise {damping}"
            )
        if d * dt / m > 1.0:
            raise ConfigError(
                f"joint {j}: Kd·dt/M = {d * dt / m:.3g} exceeds 1 at {1 / dt:g} Hz, it would "
                f"chatter; use {damping} <= {m / dt:.3g}"
            )
        if k * dt * dt / m > 1.0:
            raise ConfigError(
                f"joint {j}: Kp·dt²/M = {k * dt * dt / m:.3g} exceeds 1 at {1 / dt:g} Hz, it "
                f"would swing faster than the law can follow; use {stiffness} <= {m / dt**2:.3g}"
            )


@kernel
def ramp_gains(prev: Row[Tick], tick: Row[Tick], p: Row[Gains]) -> Row[State]:
    """Move the gains towards the configured ones; an activated law has them at once."""
    a, t, c = prev[0], tick[0], p[0]
    s0 = a.law_state[:STATE_SIZE].view(STATE)
    s = t.law_state[:STATE_SIZE].view(STATE)
    t.law_state[:] = 0.0
    share = gain_share(c.gain_ramp, is_fresh(prev, tick), t.dt)
    for j in range(c.K.shape[0]):
        s[0].K[j] = s0[0].K[j] + share * (c.K[j] - s0[0].K[j])
        s[0].D[j] = s0[0].D[j] + share * (c.D[j] - s0[0].D[j])
    return s


@kernel
def springs_and_dampers(prev: Row[Tick], tick: Row[Tick], p: Row[Gains]) -> Array:
    """K·e + M·(M + dt·D)⁻¹·D·ė with the gains of this tick, which it ramps first.

    The damping is that of an implicit step. Two joints that share an axis turn against each other
    with next to no inertia, and plain D·ė would chatter there; elsewhere the two are the same.
    """
    t, now = tick[0], ramp_gains(prev, tick, p)[0]
    n = t.q.shape[0]
    A, x, tau = np.empty((n, n)), np.empty(n), np.empty(n)
    for i in range(n):
        x[i] = now.D[i] * (t.qd_ref[i] - t.qd[i])
        tau[i] = now.K[i] * (t.q_ref[i] - t.q[i]) + x[i]
        for j in range(i + 1):
            A[i, j] = t.M[i, j]
        A[i, i] += t.dt * now.D[i]
    cholesky(A)
    cholesky_solve(A, x)
    for i in range(n):
        tau[i] -= t.dt * now.D[i] * x[i]
    return tau
