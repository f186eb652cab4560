"""The arm floats: it yields to the hand that guides it."""

from dataclasses import dataclass

import numpy as np

from pliant.laws.law_base import TorqueLaw, bumpless, follow_measured
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.spatial import Array
from pliant.params import KernelParams, NonNegative, Params, param
from pliant.tick import Tick


class GravityConfig(Params):
    """Resistance of the floating arm to motion."""

    damping: NonNegative = param(3.0, "N·m·s/rad", "Damping of every joint.", le=20.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class GravityParams(KernelParams):
    """Parameters of the law.

    Attributes:
        damping: Damping of every joint, N·m·s/rad.
        tau_rate_max: The arm's torque rate limits, N·m/s.
    """

    damping: float
    tau_rate_max: Array


@kernel
def gravity_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[GravityParams]) -> None:
    """Write all law columns of one tick."""
    t = tick[0]
    tau = np.empty(t.qd.shape[0])
    for j in range(tau.shape[0]):
        d = p[0].damping
        tau[j] = -d * t.qd[j] / (1.0 + d * t.dt / t.M[j, j])
    bumpless(prev, tick, tau, p[0].tau_rate_max)
    follow_measured(tick)
    t.law_state[:] = 0.0


class Gravity(TorqueLaw):
    """τ = −d·q̇ / (1 + d·dt/M_jj).

    Closed loop: M·q̈ + C·q̇ + d·q̇ = τ_ext, less the friction that the arm's compensation leaves.
    The arm carries its weight and yields to any push. With d = 0 and no friction nothing would stop
    it. The denominator is that of an implicit step: without it a light wrist would chatter under
    the damping of a shoulder. The law needs no force sensor and follows no reference.
    """

    name = "gravity"
    takes = "nothing"
    Config = GravityConfig
    kernel = staticmethod(gravity_kernel)

    def parameters(self, config: GravityConfig) -> np.ndarray:
        """The row of the kernel for these parameters."""
        rate = self._arm.description.tau_rate_max
        return GravityParams(damping=config.damping, tau_rate_max=rate).row()
