"""The resolve stage: inverse kinematics, from a tool pose to joint set points.

    Δq = Jᵀ·(J·Jᵀ + λ²·I)⁻¹·e,    λ² = λ_max²·(1 − (σ_min/ε)²) where σ_min < ε, else 0

Each tick makes one Newton step from the joint positions last sent towards the pose that the law
commands. The next step corrects the remaining error, so nothing drifts. Near a singularity damping
grows: the tool gives up the singular direction, and the joints stay slow.
"""

from math import sqrt

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.linalg import REGULAR, cholesky, cholesky_solve
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import Array, pose_error, rotate_pair
from pliant.params import Params, Positive, param
from pliant.tick import Tick

_POWER_STEPS = 3

# Time constant with which null-space motion of the joints decays, s.
_NULL_SPACE_DECAY = 0.1


class ResolveConfig(Params):
    """Damping of the inverse kinematics near a singularity."""

    near_singular: Positive = param(
        0.05, "m", "Smallest singular value of the Jacobian below which damping sets in."
    )
    max_damping: Positive = param(0.05, "m", "Damping at a singularity itself.")


@kernel
def gram(J: Array, out: Array) -> None:
    """J·Jᵀ, lower triangle."""
    for i in range(6):
        for j in range(i + 1):
            s = REGULAR if i == j else 0.0
            for k in range(J.shape[1]):
                s += J[i, k] * J[j, k]
            out[i, j] = s


@kernel
def smallest_singular(L: Array, u: Array) -> float:
    """Smallest singular value of J from the factor of J·Jᵀ; u is the start and the result.

    A few steps of inverse iteration: from the direction of the last tick they are practically
    exact.
    """
    gain = 0.0
    for _ in range(_POWER_STEPS):
        cholesky_solve(L, u)
        gain = 0.0
        for i in range(6):
            gain += u[i] * u[i]
        gain = sqrt(gain)
        for i in range(6):
            u[i] /= gain
    return 1.0 / sqrt(gain)


@kernel
def resolve_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[ResolveConfig]) -> None:
    """Write all resolve columns of one tick."""
    a, t, c = prev[0], tick[0], p[0]
    JJ = scratch_matrix(6, 6)
    gram(t.J_sent_W, JJ)
    cholesky(JJ)
    for i in range(6):
        # the first start has a component in every direction
        t.u_min[i] = a.u_min[i] if a.sigma_min > 0.0 else 1.0 + 0.1 * i
    t.sigma_min = smallest_singular(JJ, t.u_min)
    squared = 1.0 - (t.sigma_min / c.near_singular) ** 2
    t.dls_damping = c.max_damping * sqrt(squared) if squared > 0.0 else 0.0
    if t.law < 0:
        t.q_set[:] = a.q_sent[:]
        return
    if t.dls_damping > 0.0:
        gram(t.J_sent_W, JJ)
        for i in range(6):
            JJ[i, i] += t.dls_damping * t.dls_damping
        cholesky(JJ)
    x = scratch(6)
    pose_error(t.X_WT_sent, t.X_WT_cmd, x)
    rotate_pair(t.X_WT_sent[3:], x, x)
    n = t.q_set.shape[0]
    # null-space motion of a redundant arm decays gently
    idle = t.dt * (1.0 - t.dt / _NULL_SPACE_DECAY) if n > 6 else 0.0
    for i in range(6):
        x[i] -= idle * t.v_WT_sent_W[i]
    cholesky_solve(JJ, x)
    for j in range(n):
        dq = idle * a.qd_limited[j]
        for i in range(6):
            dq += t.J_sent_W[i, j] * x[i]
        t.q_set[j] = a.q_sent[j] + dq
