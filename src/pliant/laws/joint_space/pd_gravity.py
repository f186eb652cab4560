"""Springs and dampers in the joints, plus the feed-forward torque of the reference."""

from pliant.laws.joint_space.gains import Gains, springs_and_dampers
from pliant.laws.joint_space.stiff_joints import StiffJoints, StiffJointsConfig
from pliant.laws.law_base import bumpless, follow_measured
from pliant.numerics.kernels import Row, kernel
from pliant.tick import Tick


class PdGravityConfig(StiffJointsConfig):
    """Springs and dampers of the joints; one value, or one per joint."""


@kernel
def pd_gravity_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[Gains]) -> None:
    """Write all law columns of one tick."""
    t = tick[0]
    tau = springs_and_dampers(prev, tick, p)
    for j in range(tau.shape[0]):
        tau[j] += t.tau_ff[j]
    bumpless(prev, tick, tau, p[0].tau_rate_max)
    follow_measured(tick)


class PdGravity(StiffJoints):
    """τ = τ_ff + kp·(q_r − q) + kd·(q̇_r − q̇).

    The arm itself compensates gravity, so this is PD with gravity compensation. The tracking error
    comes from the uncompensated inertial torque: kp·e ≈ M·q̈_r + c − τ_ff. With the torque of a
    recorded motion as τ_ff it is PD+, and replays that motion; other references have τ_ff = 0.
    Damping is integrated implicitly, so joints with very little inertia get less than kd.

    Follows a joint reference. Precondition: 0 < kd·dt/M_jj ≤ 1.
    """

    name = "pd_gravity"
    Config = PdGravityConfig
    kernel = staticmethod(pd_gravity_kernel)
