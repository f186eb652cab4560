"""The arm behind the tool, from its figures at a configuration."""

import numpy as np
import pinocchio as pin

from pliant.arms.description import ArmDescription
from pliant.arms.pinocchio import TCP_FRAME, build_pinocchio
from pliant.arms.tool import Tool
from pliant.spatial import Array
from pliant.stability.axis import ArmEnd

_LINEAR, _ANGULAR = slice(0, 3), slice(3, 6)


def arm_ends(arm: ArmDescription, tool: Tool, q: Array | None = None) -> tuple[ArmEnd, ...]:
    """What a force along x y z rx ry rz of the tool finds: stiffness, damping, inertia.

    The tip gives way by C(s) = J·(M·s² + d·s + k)⁻¹·Jᵀ under the joints' servos, taken to be
    critically damped one by one. A tip that touches with friction is held sideways too, so what it
    finds along one axis is C⁻¹ of all three translations, or rotations. Up to s² that is a mass, a
    damper and a spring.

    Args:
        arm: The arm's figures.
        tool: What is mounted.
        q: Where the joints are; the arm's home if None.
    """
    model = build_pinocchio(arm, tool)
    data = model.createData()
    q = np.array(arm.home) if q is None else np.asarray(q, dtype=np.float64)
    J_T = pin.computeFrameJacobian(model, data, q, model.getFrameId(TCP_FRAME), pin.LOCAL)
    M = np.array(pin.crba(model, data, q))
    M = np.triu(M) + np.triu(M, 1).T
    k = np.array(arm.servo_stiffness)
    d = 2.0 * np.sqrt(k * np.diag(M))
    found = np.hstack([_impedance(J_T[half] / k, k, d, M) for half in (_LINEAR, _ANGULAR)])
    return tuple(
        ArmEnd(stiffness=float(s), damping=float(b), inertia=float(m), tool=float(t))
        for s, b, m, t in zip(*found, _tool_inertia(tool), strict=True)
    )


def _impedance(turn: Array, k: Array, d: Array, M: Array) -> Array:
    """The diagonals of the three first terms of C⁻¹, from C = A₀ − A₁·s + A₂·s².

    Rows of `turn` tell how far the joints give way to unit forces.
    """
    A0 = turn @ np.diag(k) @ turn.T
    A1 = turn @ np.diag(d) @ turn.T
    A2 = turn @ (np.diag(d * d / k) - M) @ turn.T
    stiffness = np.asarray(np.linalg.inv(A0), dtype=np.float64)
    damping = stiffness @ A1 @ stiffness
    inertia = damping @ A1 @ stiffness - stiffness @ A2 @ stiffness
    return np.array([np.diag(m) for m in (stiffness, damping, inertia)], dtype=np.float64)


def _tool_inertia(tool: Tool) -> Array:
    """What the sensor feels of the tool's inertia along and about the axes at the TCP."""
    off = np.array(tool.com_F) - np.array(tool.X_FT[:3])
    about = [tool.inertia[i] + tool.mass * (off @ off - off[i] ** 2) for i in range(3)]
    return np.array([tool.mass] * 3 + about)
