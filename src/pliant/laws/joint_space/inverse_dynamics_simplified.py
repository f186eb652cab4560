"""Inverse dynamics of the reference, with springs and dampers in the joints."""

from pliant.laws.joint_space.gains import Gains, springs_and_dampers
from pliant.laws.joint_space.stiff_joints import StiffJoints, StiffJointsConfig
from pliant.laws.law_base import bumpless, follow_measured
from pliant.numerics.kernels import Row, kernel
from pliant.tick import Tick


class InverseDynamicsSimplifiedConfig(StiffJointsConfig):
    """Springs and dampers of the joints; one value, or one per joint."""


@kernel
def inverse_dynamics_simplified_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[Gains]) -> None:
    """Write all law columns of one tick."""
    t = tick[0]
    tau = springs_and_dampers(prev, tick, p)
    for i in range(tau.shape[0]):
        tau[i] += t.c[i]
        for j in range(tau.shape[0]):
            tau[i] += t.M[i, j] * t.qdd_ref[j]
    bumpless(prev, tick, tau, p[0].tau_rate_max)
    follow_measured(tick)


class InverseDynamicsSimplified(StiffJoints):
    """τ = M(q)·q̈_r + c(q, q̇) + kp·(q_r − q) + kd·(q̇_r − q̇).

    Closed loop: with an exact model M·ë + kd·ė + kp·e = friction − τ_ext. Light joints
    can be as stiff as needed, but the decay of an error depends on the configuration and on the
    other joints. Damping is an implicit step: less than kd where a joint has next to no inertia.

    Follows a joint reference. Precondition: kd·dt/M_jj ≤ 1, and no joint without damping.
    """

    name = "inverse_dynamics_simplified"
    Config = InverseDynamicsSimplifiedConfig
    kernel = staticmethod(inverse_dynamics_simplified_kernel)
