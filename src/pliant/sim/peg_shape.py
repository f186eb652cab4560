"""Distances between a round peg and a round hole, in closed form.

Frame H is at the centre of the hole's rim, z out of the surface. Frame G is at the centre of the
peg's tip, z out of the peg. Both edges are rounded: the tip's is a ring of tube radius ρ_t, the
rim's one of ρ_r. All contacts of the two bodies are contacts of one of these rings: of the tip's
with the block (its face, its rim, its wall) or with the floor of the hole, of the rim's with the
side of the peg or with its face. A point of a ring's centre circle is at a distance from the other
body that has a closed form, so the hole is as round and its rim as closed as numbers are.
"""

from dataclasses import dataclass

import numpy as np

from pliant.numerics.kernels import Row, kernel
from pliant.numerics.spatial import Array
from pliant.params import KernelParams

BLOCK, FLOOR, SIDE, FACE = 0, 1, 2, 3
"""What a ring touches: the tip's block or floor, the rim's the side or the face of the peg."""

ON_WALL, ON_FACE, ON_RIM = 0, 1, 2
"""The edge that takes a contact: the tip's on the wall, the tip's on a face, the rim's."""

AWAY = 1.0
"""A gap for a point that this kind of contact does not concern, m."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PegShape(KernelParams):
    """Sizes of peg and hole, and where the peg is in the gripper.

    Attributes:
        radius: Radius of the peg, m.
        hole_radius: Radius of the hole, m.
        depth: Depth of the hole, m.
        tip_rounding: Tube radius of the tip's edge, m.
        rim_rounding: Tube radius of the rim, m.
        p_TG: The peg's tip in T, m.
        R_TG: Its orientation, 3×3.
    """

    radius: float
    hole_radius: float
    depth: float
    tip_rounding: float
    rim_rounding: float
    p_TG: Array
    R_TG: Array


@kernel
def gap(kind: int, x: Array, shape: Row[PegShape], normal: Array) -> float:
    """The gap between a ring at the point x of its centre circle and the other body.

    Args:
        kind: What the ring may touch.
        x: The point, in H for the tip's ring, in G for the rim's.
        shape: The sizes.
        normal: Out: direction of the force on the peg, in the same frame.

    Returns:
        The gap, m, negative where they overlap; `AWAY` where another kind is concerned.
    """
    if kind == BLOCK:
        return _block_gap(x, shape, normal)
    if kind == FLOOR:
        return _floor_gap(x, shape, normal)
    if kind == SIDE:
        return _side_gap(x, shape, normal)
    return _face_gap(x, shape, normal)


@kernel
def _block_gap(x: Array, shape: Row[PegShape], normal: Array) -> float:
    p = shape[0]
    s = np.hypot(x[0], x[1])
    # from the centre of the rim's rounding, outwards and up
    out, up = s - p.hole_radius - p.rim_rounding, x[2] + p.rim_rounding
    if out < 0.0 and up > 0.0:
        from_centre = np.hypot(out, up)
        distance = from_centre - p.rim_rounding
        radial, axial = out / from_centre, up / from_centre
    elif up > 0.0 or (out >= 0.0 and x[2] > p.hole_radius - s):
        distance, radial, axial = x[2], 0.0, 1.0
    else:
        distance, radial, axial = p.hole_radius - s, -1.0, 0.0
    _in_cylinder(x, s, radial, axial, normal)
    return distance - p.tip_rounding


@kernel
def _floor_gap(x: Array, shape: Row[PegShape], normal: Array) -> float:
    p = shape[0]
    normal[0], normal[1], normal[2] = 0.0, 0.0, 1.0
    return x[2] + p.depth - p.tip_rounding


@kernel
def _side_gap(x: Array, shape: Row[PegShape], normal: Array) -> float:
    p = shape[0]
    s = np.hypot(x[0], x[1])
    _in_cylinder(x, s, -1.0, 0.0, normal)
    # in front of the tip, or closer to its face
    if x[2] > -p.tip_rounding or p.radius - s > -x[2]:
        return AWAY
    return s - p.radius - p.rim_rounding


@kernel
def _face_gap(x: Array, shape: Row[PegShape], normal: Array) -> float:
    p = shape[0]
    s = np.hypot(x[0], x[1])
    normal[0], normal[1], normal[2] = 0.0, 0.0, -1.0
    # beside the tip, or closer to its side
    if s > p.radius - p.tip_rounding or x[2] < s - p.radius:
        return AWAY
    return x[2] - p.rim_rounding


@kernel
def _in_cylinder(x: Array, s: float, radial: float, axial: float, out: Array) -> None:
    """Write a direction given by its components away from the axis and along it."""
    outwards = radial / s if s > 0.0 else 0.0
    out[0], out[1], out[2] = outwards * x[0], outwards * x[1], axial


@kernel
def edge_of(kind: int, normal: Array) -> int:
    """The edge that takes a contact with this normal in its frame."""
    if kind == FLOOR:
        return ON_FACE
    if kind == BLOCK:
        if normal[2] == 0.0:
            return ON_WALL
        if normal[2] == 1.0:
            return ON_FACE
    return ON_RIM
