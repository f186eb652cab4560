"""Kernels of the laws that control the tool with joint torques."""

from math import pi, sqrt

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.linalg import cholesky, symmetric_eigen
from pliant.numerics.profiles import cap3
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import Array, norm3, pose_error, unrotate_pair
from pliant.params import Vector
from pliant.tick import Tick

# An orientation error keeps its direction up to this angle; beyond it the shorter rotation is so
# much shorter that the law reverses.
_LONGEST_WAY = 1.5 * pi

# Mobility, 1/kg and 1/(kg·m²), that is added to every direction: it bounds the inertia that a law
# assumes in a singular direction.
_REGULAR = 1e-4


@kernel
def tool_error(prev: Row[Tick], tick: Row[Tick], fresh: bool) -> bool:
    """Write e_T, the error from the tool to its reference; True if its rotation reversed.

    No orientation error is smooth everywhere: at 180° the shorter rotation reverses. The error
    therefore keeps the direction of the previous tick, well past 180°.
    """
    e = tick[0].e_T
    pose_error(tick[0].X_WT, tick[0].X_WR, e)
    if fresh:
        return False
    before = prev[0].e_T
    if before[3] * e[3] + before[4] * e[4] + before[5] * e[5] >= 0.0:
        return False
    angle, angle_before = norm3(e[3:]), norm3(before[3:])
    if angle + angle_before < pi:
        return False
    if 2.0 * pi - angle > _LONGEST_WAY:
        return True
    for i in range(3, 6):
        e[i] *= (angle - 2.0 * pi) / angle
    return False


@kernel
def tool_motion(tick: Row[Tick], clip: Vector, e: Array, ed: Array, a: Array) -> None:
    """Write, in T, the clipped error, the velocity error and the acceleration still needed.

    Args:
        tick: This tick, e_T written.
        clip: Bounds of the position error, m, and of the rotation error, rad.
        e: Out: the error, clipped.
        ed: Out: the velocity of the reference relative to the tool.
        a: Out: acceleration of the reference minus J̇·q̇.
    """
    t = tick[0]
    e[:] = t.e_T[:]
    cap3(e[:3], clip[0])
    cap3(e[3:], clip[1])
    for i in range(6):
        ed[i] = t.v_WR_W[i] - t.v_WT_W[i]
        a[i] = t.a_WR_W[i] - t.a_bias_W[i]
    unrotate_pair(t.X_WT[3:], ed, ed)
    unrotate_pair(t.X_WT[3:], a, a)


@kernel
def tool_jacobian(tick: Row[Tick], J_T: Array) -> None:
    """The tool's Jacobian in its own axes."""
    t = tick[0]
    for j in range(J_T.shape[1]):
        unrotate_pair(t.X_WT[3:], t.J_W[:, j], J_T[:, j])


@kernel
def mobility(M: Array, J: Array, MJ: Array, L: Array) -> None:
    """Write M⁻¹·Jᵀ, and the lower Cholesky factor of Λ⁻¹ = J·M⁻¹·Jᵀ.

    Args:
        M: Mass matrix.
        J: Jacobian, six rows.
        MJ: Out: M⁻¹·Jᵀ.
        L: Out: the factor, in the lower triangle.
    """
    n = M.shape[0]
    F = M.copy()
    cholesky(F)
    for i in range(6):
        for j in range(n):
            MJ[j, i] = J[i, j]
        _solve_column(F, MJ, i)
    for i in range(6):
        for k in range(i + 1):
            L[i, k] = _REGULAR if i == k else 0.0
            for j in range(n):
                L[i, k] += J[i, j] * MJ[j, k]
    cholesky(L)


@kernel
def _solve_column(L: Array, X: Array, c: int) -> None:
    """Replace column c of X by the solution of L·Lᵀ·x = X[:, c]."""
    n = L.shape[0]
    for i in range(n):
        for k in range(i):
            X[i, c] -= L[i, k] * X[k, c]
        X[i, c] /= L[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            X[i, c] -= L[k, i] * X[k, c]
        X[i, c] /= L[i, i]


@kernel
def add_damping(L: Array, K: Array, ratio: float, v: Array, w: Array) -> None:
    """Add D·v to w, where D gives every mode of inertia and stiffness the same damping ratio.

    With Λ⁻¹ = L·Lᵀ and S = Lᵀ·K·L, whose eigenvalues are the squared frequencies of the modes,
    D = 2·ratio·L⁻ᵀ·√S·L⁻¹.
    """
    S, U, x, y = np.zeros((6, 6)), scratch_matrix(6, 6), scratch(6), np.zeros(6)
    for i in range(6):
        x[i] = v[i]
        for j in range(6):
            for k in range(max(i, j), 6):
                S[i, j] += L[k, i] * K[k] * L[k, j]
    symmetric_eigen(S, U)
    for i in range(6):
        for k in range(i):
            x[i] -= L[i, k] * x[k]
        x[i] /= L[i, i]
    for m in range(6):
        along = 0.0
        for i in range(6):
            along += U[i, m] * x[i]
        along *= 2.0 * ratio * sqrt(max(S[m, m], 0.0))
        for i in range(6):
            y[i] += U[i, m] * along
    for i in range(5, -1, -1):
        for k in range(i + 1, 6):
            y[i] -= L[k, i] * y[k]
        y[i] /= L[i, i]
        w[i] += y[i]
