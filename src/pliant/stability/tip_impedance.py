"""Impedance of an arm at the tip of its tool, computed from its parameters at a posture."""

from dataclasses import replace

import numpy as np
import pinocchio as pin

from pliant.arms.description import ArmDescription
from pliant.arms.pinocchio import TCP_FRAME, build_pinocchio
from pliant.arms.tool import Tool
from pliant.numerics.spatial import Array
from pliant.stability.axis import TipImpedance
from pliant.stages.servo.stiff_servo import LOAD_CUTOFF

_LINEAR, _ANGULAR = slice(0, 3), slice(3, 6)
_PRESSING = 2

_POSTURES, _SPREAD = 200, 0.7
"""Number of sampled postures, and how far their joints are from home at most, rad."""

_PERCENTILE = 0.9


def tip_impedances(
    arm: ArmDescription, tool: Tool, q: Array | None = None
) -> tuple[TipImpedance, ...]:
    """Stiffness, damping and inertia of the arm along x y z rx ry rz of the tool.

    The compliance of the tip is C(s) = J·(M·s² + d·s + k)⁻¹·Jᵀ, with each joint servo assumed
    critically damped. The joints of a torque-controlled arm have the stiffness of Pliant's own
    joint servo, which also compensates the load that it estimates. Along a single axis, 1/C is a
    mass, a damper and a spring up to order s². With the tip held laterally, those are the diagonal
    of C⁻¹ of all three axes.

    Args:
        arm: The arm's parameters.
        tool: The mounted tool.
        q: Joint positions; the arm's home if None.
    """
    q = np.array(arm.home) if q is None else np.asarray(q, dtype=np.float64)
    return _tips_at(build_pinocchio(arm, tool), arm, tool, q)


def stiff_tip(arm: ArmDescription, tool: Tool) -> TipImpedance:
    """Impedance along the tool's z axis, stiffer than in 90 % of the postures around home.

    Gains that are well damped with it are well damped in nearly every posture.
    """
    model, rng = build_pinocchio(arm, tool), np.random.default_rng(0)
    postures = arm.home + rng.uniform(-_SPREAD, _SPREAD, (_POSTURES, arm.n))
    tips = [_tips_at(model, arm, tool, q)[_PRESSING] for q in postures]
    tips.sort(key=lambda tip: tip.held.stiffness if tip.held else tip.stiffness)
    return tips[int(_PERCENTILE * _POSTURES)]


def _tips_at(
    model: pin.Model, arm: ArmDescription, tool: Tool, q: Array
) -> tuple[TipImpedance, ...]:
    data = model.createData()
    J_T = pin.computeFrameJacobian(model, data, q, model.getFrameId(TCP_FRAME), pin.LOCAL)
    M = np.array(pin.crba(model, data, q))
    M = np.triu(M) + np.triu(M, 1).T
    k, d = _servos(arm, M)
    tool_inertia, load_cutoff = _tool_inertia(tool), LOAD_CUTOFF if arm.takes_torque else 0.0
    return tuple(
        replace(tip, tool=float(mass), load_cutoff=load_cutoff)
        for half in (_LINEAR, _ANGULAR)
        for tip, mass in zip(
            _tips(_compliance(J_T[half], k, d, M)), tool_inertia[half], strict=True
        )
    )


def _servos(arm: ArmDescription, M: Array) -> tuple[Array, Array]:
    """Stiffness and damping matrices of the joint servos."""
    if arm.takes_torque:
        return M * arm.servo_bandwidth**2, M * 2.0 * arm.servo_bandwidth
    stiffness = arm.servo_stiffness
    return np.diag(stiffness), np.diag(2.0 * np.sqrt(stiffness * np.diag(M)))


def _compliance(J: Array, k: Array, d: Array, M: Array) -> tuple[Array, Array, Array]:
    """A₀, A₁ and A₂ of C = A₀ − A₁·s + A₂·s²."""
    # k⁻¹·Jᵀ and J·k⁻¹ separately: k = M·ω² is not symmetric if ω differs between the joints
    right, left = np.linalg.solve(k, J.T), np.linalg.solve(k.T, J.T).T
    A0 = J @ right
    A1 = left @ d @ right
    A2 = left @ (d @ np.linalg.solve(k, d) - M) @ right
    return A0, A1, A2


def _tips(C: tuple[Array, Array, Array]) -> list[TipImpedance]:
    """The three axes of a compliance, each alone and with the other two held."""
    held = _impedance(*C)
    tips = []
    for i in range(3):
        alone = _impedance(*(A[i : i + 1, i : i + 1] for A in C))[:, 0]
        k, d, m = (float(value) for value in alone)
        k_held, d_held, m_held = (float(value) for value in held[:, i])
        others = [j for j in range(3) if j != i]
        coupling, across = C[0][i, others], C[0][np.ix_(others, others)]
        square = float(coupling @ coupling)
        lateral = square / float(coupling @ across @ coupling) if square > 0.0 else 0.0
        tip_held = TipImpedance(stiffness=k_held, damping=d_held, inertia=m_held)
        tips.append(
            TipImpedance(
                stiffness=k, damping=d, inertia=m, held=tip_held, lateral_stiffness=lateral
            )
        )
    return tips


def _impedance(A0: Array, A1: Array, A2: Array) -> Array:
    """Stiffness, damping and inertia: the diagonals of the first three terms of C⁻¹."""
    stiffness = np.linalg.inv(A0)
    damping = stiffness @ A1 @ stiffness
    inertia = damping @ A1 @ stiffness - stiffness @ A2 @ stiffness
    return np.array([np.diag(m) for m in (stiffness, damping, inertia)], dtype=np.float64)


def _tool_inertia(tool: Tool) -> Array:
    """Tool inertia that the sensor measures along and about the axes at the TCP."""
    lever = np.array(tool.com_F) - np.array(tool.X_FT[:3])
    rotational = [tool.inertia[i] + tool.mass * (lever @ lever - lever[i] ** 2) for i in range(3)]
    return np.array([tool.mass] * 3 + rotational)
