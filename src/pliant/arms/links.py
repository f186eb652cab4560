"""Masses and inertias of the links of a serial arm, for the dynamics kernel."""

from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from pliant.arms.chain import Chain, chain_row, rotate_about, transformed
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.spatial import Array
from pliant.params import KernelParams

INERTIA = 10
"""Numbers of a spatial inertia about the origin of W: mass, first moments (3), moments of inertia
xx, yy, zz, xy, xz, yz. Those of rigidly connected bodies add up."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Links(KernelParams):
    """The links that follow each joint, at q = 0 in W; the last one includes the tool.

    Attributes:
        chain: The joints.
        mass: Mass of each link, kg.
        com: Its centre of mass, m.
        inertia: Its moments and products of inertia about that, kg·m².
        armature: Rotor inertia of each joint at its output, kg·m².
        gravity: Acceleration of gravity, m/s².
    """

    chain: Row[Chain]
    mass: Array
    com: Array
    inertia: Array
    armature: Array
    gravity: Array


def links_row(model: pin.Model) -> np.ndarray:
    """The links of a Pinocchio model of revolute joints in series."""
    data = model.createData()
    pin.forwardKinematics(model, data, np.zeros(model.nv))
    placed = [data.oMi[j].act(model.inertias[j]) for j in range(1, model.njoints)]
    return Links(
        chain=chain_row(model),
        mass=np.array([link.mass for link in placed]),
        com=np.array([link.lever for link in placed]),
        inertia=np.array([link.inertia for link in placed]),
        armature=np.array(model.armature),
        gravity=np.array(model.gravity.linear),
    ).row()


@kernel
def pass_joint(
    chain: Row[Chain], j: int, angle: float, R: Array, p: Array, point_W: Array, axis_W: Array
) -> None:
    """Go on along the chain: from the displacement of the link before a joint to that after it.

    Args:
        chain: The joints.
        j: Number of the joint.
        angle: Its position, rad.
        R: Rotation of the link from its orientation at q = 0, in place.
        p: Translation that follows this rotation, in place.
        point_W: Out: the point on the joint's axis, displaced.
        axis_W: Out: the axis, displaced.
    """
    c = chain[0]
    for i in range(3):
        axis_W[i] = R[i, 0] * c.axis[j, 0] + R[i, 1] * c.axis[j, 1] + R[i, 2] * c.axis[j, 2]
        point_W[i] = transformed(R, p, c.point[j], i)
    # from the right, about the axis at q = 0: rounding errors do not grow from joint to joint
    rotate_about(c.axis[j], -angle, R.T)
    for i in range(3):
        p[i] = point_W[i]
        for k in range(3):
            p[i] -= R[i, k] * c.point[j, k]


@kernel
def link_inertia(links: Row[Links], j: int, R: Array, p: Array, out: Array) -> None:
    """Write the spatial inertia of a link, from its displacement (R, p) from q = 0.

    With the centre of mass c and C = c̃, it is I = R·I₀·Rᵀ − m·C·C about the origin of W.
    """
    a = links[0]
    m, I0 = a.mass[j], a.inertia[j]
    x = transformed(R, p, a.com[j], 0)
    y = transformed(R, p, a.com[j], 1)
    z = transformed(R, p, a.com[j], 2)
    out[0], out[1], out[2], out[3] = m, m * x, m * y, m * z
    out[4] = _rotated(R, I0, 0, 0) + m * (y * y + z * z)
    out[5] = _rotated(R, I0, 1, 1) + m * (x * x + z * z)
    out[6] = _rotated(R, I0, 2, 2) + m * (x * x + y * y)
    out[7] = _rotated(R, I0, 0, 1) - m * x * y
    out[8] = _rotated(R, I0, 0, 2) - m * x * z
    out[9] = _rotated(R, I0, 1, 2) - m * y * z


@kernel
def _rotated(R: Array, A: Array, i: int, k: int) -> float:
    """Entry i, k of R·A·Rᵀ."""
    total = 0.0
    for r in range(3):
        total += R[i, r] * (A[r, 0] * R[k, 0] + A[r, 1] * R[k, 1] + A[r, 2] * R[k, 2])
    return total


@kernel
def momentum(inertia: Array, v: Array, out: Array) -> None:
    """Write the momentum of bodies that move with a twist v, about the origin of W.

    Linear: m·v + ω × h; angular: I·ω + h × v.
    """
    m, hx, hy, hz = inertia[0], inertia[1], inertia[2], inertia[3]
    xx, yy, zz, xy, xz, yz = inertia[4], inertia[5], inertia[6], inertia[7], inertia[8], inertia[9]
    vx, vy, vz, wx, wy, wz = v[0], v[1], v[2], v[3], v[4], v[5]
    out[0] = m * vx + wy * hz - wz * hy
    out[1] = m * vy + wz * hx - wx * hz
    out[2] = m * vz + wx * hy - wy * hx
    out[3] = xx * wx + xy * wy + xz * wz + hy * vz - hz * vy
    out[4] = xy * wx + yy * wy + yz * wz + hz * vx - hx * vz
    out[5] = xz * wx + yz * wy + zz * wz + hx * vy - hy * vx
