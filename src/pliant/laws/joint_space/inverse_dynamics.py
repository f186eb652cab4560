"""Inverse dynamics: decoupled second-order error dynamics of every joint."""

import numpy as np

from pliant.laws.joint_space.gains import Gains, ramp_gains, refuse_unstable
from pliant.laws.joint_space.joint_law import JointLaw
from pliant.laws.law_base import bumpless, follow_measured
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.spatial import Array
from pliant.params import (
    NonNegative,
    Params,
    PerJointNonNegative,
    PerJointPositive,
    param,
    per_joint,
)
from pliant.tick import Tick


class InverseDynamicsConfig(Params):
    """Error dynamics of the joints; one value, or one per joint."""

    bandwidth: PerJointPositive = param(
        100.0, "rad/s", "ω: an error decays within a few times 1/ω; Kp = ω²."
    )
    damping_ratio: PerJointNonNegative = param(1.0, "1", "ζ: 1 does not overshoot; Kd = 2·ζ·ω.")
    gain_ramp: NonNegative = param(0.2, "s", "How long a change of gains takes.")


@kernel
def inverse_dynamics_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[Gains]) -> None:
    """Write all law columns of one tick."""
    t = tick[0]
    n = t.q.shape[0]
    s = ramp_gains(prev, tick, p)
    a, tau = np.empty(n), np.empty(n)
    for j in range(n):
        e, ed = t.q_ref[j] - t.q[j], t.qd_ref[j] - t.qd[j]
        a[j] = t.qdd_ref[j] + s[0].D[j] * ed + s[0].K[j] * e
    for i in range(n):
        tau[i] = t.c[i]
        for j in range(n):
            tau[i] += t.M[i, j] * a[j]
    bumpless(prev, tick, tau, p[0].tau_rate_max)
    follow_measured(tick)


class InverseDynamics(JointLaw):
    """τ = M(q)·(q̈_r + Kd·(q̇_r − q̇) + Kp·(q_r − q)) + c(q, q̇).

    Closed loop: with an exact model ë + Kd·ė + Kp·e = M⁻¹·(friction − τ_ext), the same for every
    joint and configuration: each error decays with bandwidth ω and damping ratio ζ, and the joints
    are decoupled. Light joints have a low stiffness M_jj·Kp, so uncompensated friction costs them
    most.

    Follows a joint reference. Precondition: 2·ζ·ω·dt ≤ 1, and no joint without damping.
    """

    name = "inverse_dynamics"
    Config = InverseDynamicsConfig
    kernel = staticmethod(inverse_dynamics_kernel)

    def check(self, config: Params, dt: float) -> None:
        """Raise `ConfigError` if the gains cannot be stable at this period."""
        assert isinstance(config, InverseDynamicsConfig)
        K, D = self._gains(config)
        units = ("bandwidth²", "2·damping_ratio·bandwidth")
        refuse_unstable(K, D, np.ones(self._arm.n), dt, units)

    def _gains(self, config: InverseDynamicsConfig) -> tuple[Array, Array]:
        path = f"laws.{self.name}"
        w = per_joint(config.bandwidth, self._arm.n, f"{path}.bandwidth")
        ratio = per_joint(config.damping_ratio, self._arm.n, f"{path}.damping_ratio")
        return w * w, 2.0 * ratio * w
