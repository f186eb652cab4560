"""The arm behind the tool, from its figures at a configuration."""

from dataclasses import replace

import numpy as np
import pinocchio as pin

from pliant.arms.description import ArmDescription
from pliant.arms.pinocchio import TCP_FRAME, build_pinocchio
from pliant.arms.tool import Tool
from pliant.numerics.spatial import Array
from pliant.stability.axis import ArmEnd
from pliant.stages.joints.servo import LOAD_CUTOFF

_LINEAR, _ANGULAR = slice(0, 3), slice(3, 6)
_PRESSING = 2

_POSTURES, _AROUND = 200, 0.7
"""How many postures a stiff one is chosen from, and how far joints are from home in them, rad."""

_STIFF = 0.9


def arm_ends(arm: ArmDescription, tool: Tool, q: Array | None = None) -> tuple[ArmEnd, ...]:
    """What a force along x y z rx ry rz of the tool finds: stiffness, damping, inertia.

    The tip gives way by C(s) = J·(M·s² + d·s + k)⁻¹·Jᵀ under the joints' servos, taken to be
    critically damped one by one; joints without a stiffness of their own, as a torque arm's, have
    the servo that Pliant makes for them, which also makes up for the load that it feels. Along one
    axis by itself 1/C is, up to s², a mass, a damper and a spring; with the tip held sideways they
    are those of C⁻¹ of all three axes.

    Args:
        arm: The arm's figures.
        tool: What is mounted.
        q: Where the joints are; the arm's home if None.
    """
    q = np.array(arm.home) if q is None else np.asarray(q, dtype=np.float64)
    return _ends_at(build_pinocchio(arm, tool), arm, tool, q)


def stiff_end(arm: ArmDescription, tool: Tool) -> ArmEnd:
    """The arm along the tool's z axis, stiffer than in nine of ten postures around its home.

    Gains that keep a contact calm there keep it so nearly anywhere.
    """
    model, rng = build_pinocchio(arm, tool), np.random.default_rng(0)
    postures = arm.home + rng.uniform(-_AROUND, _AROUND, (_POSTURES, arm.n))
    ends = [_ends_at(model, arm, tool, q)[_PRESSING] for q in postures]
    ends.sort(key=lambda end: end.held.stiffness if end.held else end.stiffness)
    return ends[int(_STIFF * _POSTURES)]


def _ends_at(model: pin.Model, arm: ArmDescription, tool: Tool, q: Array) -> tuple[ArmEnd, ...]:
    data = model.createData()
    J_T = pin.computeFrameJacobian(model, data, q, model.getFrameId(TCP_FRAME), pin.LOCAL)
    M = np.array(pin.crba(model, data, q))
    M = np.triu(M) + np.triu(M, 1).T
    k, d = _servos(arm, M)
    tool_inertia, load_cutoff = _tool_inertia(tool), LOAD_CUTOFF if arm.takes_torque else 0.0
    return tuple(
        replace(end, tool=float(mass), load_cutoff=load_cutoff)
        for half in (_LINEAR, _ANGULAR)
        for end, mass in zip(
            _ends(_compliance(J_T[half], k, d, M)), tool_inertia[half], strict=True
        )
    )


def _servos(arm: ArmDescription, M: Array) -> tuple[Array, Array]:
    """Stiffness and damping matrices of the joints."""
    if arm.takes_torque:
        return M * arm.servo_bandwidth**2, M * 2.0 * arm.servo_bandwidth
    stiffness = arm.servo_stiffness
    return np.diag(stiffness), np.diag(2.0 * np.sqrt(stiffness * np.diag(M)))


def _compliance(J: Array, k: Array, d: Array, M: Array) -> tuple[Array, Array, Array]:
    """A₀, A₁ and A₂ of C = A₀ − A₁·s + A₂·s²."""
    # two, as the stiffness of a servo that reckons with M is not symmetric
    turn, lever = np.linalg.solve(k, J.T), np.linalg.solve(k.T, J.T).T
    A0 = J @ turn
    A1 = lever @ d @ turn
    A2 = lever @ (d @ np.linalg.solve(k, d) - M) @ turn
    return A0, A1, A2


def _ends(C: tuple[Array, Array, Array]) -> list[ArmEnd]:
    """The three axes of a compliance, each by itself and with the others held."""
    held = _impedance(*C)
    ends = []
    for i in range(3):
        alone = _impedance(*(A[i : i + 1, i : i + 1] for A in C))[:, 0]
        k, d, m = (float(value) for value in alone)
        k_held, d_held, m_held = (float(value) for value in held[:, i])
        others = [j for j in range(3) if j != i]
        coupling, across = C[0][i, others], C[0][np.ix_(others, others)]
        square = float(coupling @ coupling)
        sideways = square / float(coupling @ across @ coupling) if square > 0.0 else 0.0
        end_held = ArmEnd(stiffness=k_held, damping=d_held, inertia=m_held)
        ends.append(ArmEnd(stiffness=k, damping=d, inertia=m, held=end_held, sideways=sideways))
    return ends


def _impedance(A0: Array, A1: Array, A2: Array) -> Array:
    """Stiffness, damping and inertia: the diagonals of the first three terms of C⁻¹."""
    stiffness = np.linalg.inv(A0)
    damping = stiffness @ A1 @ stiffness
    inertia = damping @ A1 @ stiffness - stiffness @ A2 @ stiffness
    return np.array([np.diag(m) for m in (stiffness, damping, inertia)], dtype=np.float64)


def _tool_inertia(tool: Tool) -> Array:
    """What the sensor feels of the tool's inertia along and about the axes at the TCP."""
    off = np.array(tool.com_F) - np.array(tool.X_FT[:3])
    about = [tool.inertia[i] + tool.mass * (off @ off - off[i] ** 2) for i in range(3)]
    return np.array([tool.mass] * 3 + about)
