"""Contact of peg and hole: found in closed form, solved by MuJoCo.

MuJoCo's own shapes would make a hole of flat walls and its rim of beads. Here the points of
contact are computed before every physics step from the present poses, and handed to MuJoCo as
pairs of small balls, one of the peg and one of the block, which overlap exactly as the true
surfaces do and along the true normal. MuJoCo then solves for the forces.
"""

from math import pi, sqrt

import mujoco
import numpy as np

from pliant.numerics.kernels import Direct, Row, kernel
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import Array
from pliant.sim.fixture import FIXTURE
from pliant.sim.peg_shape import BLOCK, FACE, FLOOR, SIDE, PegShape, edge_of, gap
from pliant.sim.side_force import largest_side_force
from pliant.sim.tip_contact import Contact
from pliant.tick_column import IntArray

SLOTS = 40
"""Most contact points at a time."""

SCAN = 64
"""Points of a ring at which its gap is looked at, to find all its minima."""

POINTS = 8
"""Fixed points of a ring, which share the load where it lies flat."""

_MINIMA = 4
_ROUNDS = 20
_GOLDEN = 0.5 * (sqrt(5.0) - 1.0)
_NEAR = 1e-3
"""A minimum of the scanned gaps above this is no contact, m: the gap changes less between points
of the scan."""

_BALL = 0.002
_FAR = 5.0
_LEAST_OVERLAP = 1e-13
_COS, _SIN = np.cos(2.0 * pi * np.arange(SCAN) / SCAN), np.sin(2.0 * pi * np.arange(SCAN) / SCAN)

SOLREF = (0.004, 1.0)
"""MuJoCo's time constant and damping ratio of a contact; twice the shortest it accepts."""

_RIGID = 0.999
_FACE_WIDTH = 5e-5
"""MuJoCo's impedance of a loaded contact, and the overlap at which it holds on a face, m."""

_WALL_WIDTH, _WALL_SHARE = 2e-5, 0.12
"""That overlap on a wall, m, and at most relative to the clearance: 15 N overlap by less."""

_LEAST_RATIO = 9.0

_HOLDS_SIDEWAYS = 100.0
"""MuJoCo's ratio of frictional to normal impedance: a peg creeps 0.01 mm/s per N."""

_FACE_FRICTION, _WALL_FRICTION = 0.02, 0.002
"""Time constant of friction on a face and on a wall, s. MuJoCo's friction slows a contact down with
its time constant, and until then drives what else would stop it sooner. On a face it must be long,
or a sliding peg bounces; on a wall and at the rim as short as can be: where a leaning peg fits only
just, a long one drives the wedge until 6 N make 600.
"""


def add_slots(
    spec: mujoco.MjSpec, tip: mujoco.MjsBody, block: mujoco.MjsBody, friction: float
) -> None:
    """Add the pairs of balls, all apart."""
    for k in range(SLOTS):
        for body, name, z in ((tip, "peg", 0.0), (block, "block", -_FAR)):
            body.add_geom(
                name=f"{name}_{k}",
                type=mujoco.mjtGeom.mjGEOM_SPHERE,
                size=[_BALL, 0.0, 0.0],
                pos=[0.0, _BALL, z],
                contype=0,
                conaffinity=0,
                rgba=[0.0, 0.0, 0.0, 0.0],
            )
        spec.add_pair(
            geomname1=f"block_{k}",
            geomname2=f"peg_{k}",
            condim=3,
            friction=[friction, friction, 0.0, 0.0, 0.0],
            solreffriction=[_FACE_FRICTION, 1.0],
        )


class PegContact(Contact):
    """The contact of a peg with its hole in a compiled world."""

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        tip: int,
        shape: PegShape,
        stiffness: float,
    ) -> None:
        """Set the stiffness of the contacts, and take views into MuJoCo's memory.

        Like every contact of round bodies these are soft at first and become stiff: the initial
        stiffness of a point is about 50·d/(1 − d) N/mm, where d is MuJoCo's impedance.
        """
        fixture = model.body(FIXTURE).id
        ratio = max(_LEAST_RATIO, 0.5e-3 * stiffness) / POINTS
        model.pair_solref[:] = SOLREF
        model.opt.impratio = _HOLDS_SIDEWAYS
        model.pair_solimp[:] = (ratio / (1.0 + ratio), _RIGID, _FACE_WIDTH, 0.5, 2.0)
        wall = min(_WALL_WIDTH, _WALL_SHARE * (shape.hole_radius - shape.radius))
        self._widths = np.array([wall, _FACE_WIDTH])
        self._model, self._data = model, data
        self.side = np.zeros(1)
        self._edges, self._normals_W = np.zeros(SLOTS, np.int64), np.zeros((SLOTS, 3))
        first_peg, first_block = model.geom("peg_0").id, model.geom("block_0").id
        self._placed = (
            shape.row(),
            data.xpos[tip],
            data.xmat[tip].reshape(3, 3),
            data.xpos[fixture],
            data.xmat[fixture].reshape(3, 3),
            model.geom_pos[first_peg : first_peg + SLOTS],
            model.geom_pos[first_block : first_block + SLOTS],
            self._normals_W,
            self._edges,
            self._widths,
            model.pair_solimp,
            model.pair_solreffriction,
        )
        self._count = 0
        self._place, self._judge = Direct(place_contacts), Direct(largest_side_force)

    def before_step(self) -> None:
        """Find the contacts at the present poses."""
        mujoco.mj_kinematics(self._model, self._data)
        self._count = self._place.call(*self._placed)

    def after_step(self) -> None:
        """Evaluate the forces; if the arm itself touches the block too, the step does not count."""
        if self._count == 0 or self._data.ncon != self._count:
            self.side[0] = 0.0
            return
        forces = self._data.efc_force
        self._judge.call(self._normals_W, self._edges, self._count, forces, self.side)

    def series(self, stiffness: float) -> float:
        """The contact of many points is so stiff that the springs alone have the stiffness."""
        return stiffness


@kernel
def place_contacts(
    shape: Row[PegShape],
    p_WT: Array,
    R_WT: Array,
    p_WH: Array,
    R_WH: Array,
    pegs: Array,
    blocks: Array,
    normals_W: Array,
    edges: IntArray,
    widths: Array,
    solimp: Array,
    friction: Array,
) -> int:
    """Place the pairs of balls at the points of contact, and the unused ones apart.

    Args:
        shape: The sizes.
        p_WT: Position of the TCP.
        R_WT: Orientation of the tool.
        p_WH: Position of the hole's rim.
        R_WH: Orientation of the block.
        pegs: Out: positions of the peg's balls in T, one a row.
        blocks: Out: positions of the block's balls in H, one a row.
        normals_W: Out: directions of the forces on the peg in W, one a row.
        edges: Out: the edges that take them.
        widths: Overlaps at which a contact is rigid, on a wall and on a face.
        solimp: Out: MuJoCo's impedance of the contacts; its third number is that overlap.
        friction: Out: MuJoCo's parameters of friction; their first number is its time constant.

    Returns:
        The number of contacts.
    """
    p = shape[0]
    p_HG, R_HG = scratch(3), scratch_matrix(3, 3)
    _peg_in_hole(shape, p_WT, R_WT, p_WH, R_WH, p_HG, R_HG)
    count = 0
    steep = np.hypot(R_HG[2, 0], R_HG[2, 1])
    if p_HG[2] - steep * p.radius < _NEAR:
        found = scratch_matrix(SLOTS, 8)
        count = _touch(BLOCK, shape, p_HG, R_HG, found, count)
        count = _touch(FLOOR, shape, p_HG, R_HG, found, count)
        count = _touch(SIDE, shape, p_HG, R_HG, found, count)
        count = _touch(FACE, shape, p_HG, R_HG, found, count)
        for k in range(count):
            edges[k] = int(found[k, 7])
            upright = found[k, 5] ** 2
            solimp[k, 2] = widths[0] + (widths[1] - widths[0]) * upright
            friction[k, 0] = _WALL_FRICTION + (_FACE_FRICTION - _WALL_FRICTION) * upright
            _place_pair(shape, found[k], p_HG, R_HG, pegs[k], blocks[k])
            for i in range(3):
                normals_W[k, i] = (
                    R_WH[i, 0] * found[k, 3] + R_WH[i, 1] * found[k, 4] + R_WH[i, 2] * found[k, 5]
                )
    for k in range(count, SLOTS):
        pegs[k, 0], pegs[k, 1], pegs[k, 2] = 0.0, _BALL, 0.0
        blocks[k, 0], blocks[k, 1], blocks[k, 2] = 0.0, _BALL, -_FAR
    return count


@kernel
def _peg_in_hole(
    shape: Row[PegShape],
    p_WT: Array,
    R_WT: Array,
    p_WH: Array,
    R_WH: Array,
    p_HG: Array,
    R_HG: Array,
) -> None:
    """Write the pose of the peg in the hole's frame."""
    p = shape[0]
    R_HT, d_W = scratch_matrix(3, 3), scratch(3)
    for i in range(3):
        d_W[i] = p_WT[i] - p_WH[i]
        for k in range(3):
            d_W[i] += R_WT[i, k] * p.p_TG[k]
    for i in range(3):
        p_HG[i] = R_WH[0, i] * d_W[0] + R_WH[1, i] * d_W[1] + R_WH[2, i] * d_W[2]
        for j in range(3):
            R_HT[i, j] = R_WH[0, i] * R_WT[0, j] + R_WH[1, i] * R_WT[1, j] + R_WH[2, i] * R_WT[2, j]
    for i in range(3):
        for j in range(3):
            R_HG[i, j] = (
                R_HT[i, 0] * p.R_TG[0, j] + R_HT[i, 1] * p.R_TG[1, j] + R_HT[i, 2] * p.R_TG[2, j]
            )


@kernel
def _ring(kind: int, shape: Row[PegShape], p_HG: Array, R_HG: Array, ring: Array) -> None:
    """Write centre and two radii of the ring that is concerned, in the other body's frame."""
    p = shape[0]
    if kind in (BLOCK, FLOOR):
        radius = p.radius - p.tip_rounding
        for i in range(3):
            ring[0, i] = p_HG[i] - p.tip_rounding * R_HG[i, 2]
            ring[1, i], ring[2, i] = radius * R_HG[i, 0], radius * R_HG[i, 1]
        return
    radius = p.hole_radius + p.rim_rounding
    for i in range(3):
        ring[0, i] = -p.rim_rounding * R_HG[2, i]
        for j in range(3):
            ring[0, i] -= R_HG[j, i] * p_HG[j]
        ring[1, i], ring[2, i] = radius * R_HG[0, i], radius * R_HG[1, i]


@kernel
def _gap_at(
    kind: int, cos: float, sin: float, shape: Row[PegShape], ring: Array, point: Array
) -> float:
    """The gap at a point of a ring; writes the point, and the normal behind it."""
    for i in range(3):
        point[i] = ring[0, i] + cos * ring[1, i] + sin * ring[2, i]
    return gap(kind, point[:3], shape, point[3:6])


@kernel
def _touch(
    kind: int, shape: Row[PegShape], p_HG: Array, R_HG: Array, found: Array, count: int
) -> int:
    """Add the contacts of one kind: fixed points that overlap, and the minima of the gap.

    Rows of `found` are: point, normal, overlap and edge of a contact, in H.
    """
    ring, gaps, point = scratch_matrix(3, 3), scratch(SCAN), scratch(6)
    _ring(kind, shape, p_HG, R_HG, ring)
    near = False
    for i in range(SCAN):
        gaps[i] = _gap_at(kind, _COS[i], _SIN[i], shape, ring, point)
        near = near or gaps[i] < _NEAR
        # on a side that is round, the minima are enough
        if kind != SIDE and i % (SCAN // POINTS) == 0 and gaps[i] < -_LEAST_OVERLAP:
            count = _add(kind, gaps[i], point, shape, p_HG, R_HG, found, count)
    if not near:
        return count
    minima = 0
    for i in range(SCAN):
        before, after = gaps[i - 1], gaps[(i + 1) % SCAN]
        if gaps[i] < _NEAR and gaps[i] < before and gaps[i] <= after and minima < _MINIMA:
            smallest = _descend(kind, i, shape, ring, point)
            if smallest < -_LEAST_OVERLAP:
                minima += 1
                count = _add(kind, smallest, point, shape, p_HG, R_HG, found, count)
    return count


@kernel
def _descend(kind: int, i: int, shape: Row[PegShape], ring: Array, point: Array) -> float:
    """Golden-section search for the minimum of the gap around a point of the scan."""
    step = 2.0 * pi / SCAN
    low, high = (i - 1) * step, (i + 1) * step
    a, b = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_a = _gap_at(kind, np.cos(a), np.sin(a), shape, ring, point)
    at_b = _gap_at(kind, np.cos(b), np.sin(b), shape, ring, point)
    for _ in range(_ROUNDS):
        if at_a < at_b:
            high, b, at_b = b, a, at_a
            a = high - _GOLDEN * (high - low)
            at_a = _gap_at(kind, np.cos(a), np.sin(a), shape, ring, point)
        else:
            low, a, at_a = a, b, at_b
            b = low + _GOLDEN * (high - low)
            at_b = _gap_at(kind, np.cos(b), np.sin(b), shape, ring, point)
    middle = 0.5 * (low + high)
    return _gap_at(kind, np.cos(middle), np.sin(middle), shape, ring, point)


@kernel
def _add(
    kind: int,
    overlap: float,
    point: Array,
    shape: Row[PegShape],
    p_HG: Array,
    R_HG: Array,
    found: Array,
    count: int,
) -> int:
    """Note a contact, in the middle between the two surfaces."""
    if count == SLOTS:
        return count
    p, row = shape[0], found[count]
    row[6], row[7] = overlap, edge_of(kind, point[3:6])
    if kind in (BLOCK, FLOOR):
        for i in range(3):
            row[i] = point[i] - (p.tip_rounding + 0.5 * overlap) * point[3 + i]
            row[3 + i] = point[3 + i]
        return count + 1
    for i in range(3):
        row[i], row[3 + i] = p_HG[i], 0.0
        for j in range(3):
            at = point[j] + (p.rim_rounding + 0.5 * overlap) * point[3 + j]
            row[i] += R_HG[i, j] * at
            row[3 + i] += R_HG[i, j] * point[3 + j]
    return count + 1


@kernel
def _place_pair(
    shape: Row[PegShape], contact: Array, p_HG: Array, R_HG: Array, peg: Array, block: Array
) -> None:
    """Write the balls of a contact: that of the peg in T, that of the block in H."""
    p = shape[0]
    apart, at_G = _BALL + 0.5 * contact[6], scratch(3)
    for i in range(3):
        block[i] = contact[i] - apart * contact[3 + i]
        at_G[i] = 0.0
        for j in range(3):
            at_G[i] += R_HG[j, i] * (contact[j] + apart * contact[3 + j] - p_HG[j])
    for i in range(3):
        peg[i] = p.p_TG[i]
        for j in range(3):
            peg[i] += p.R_TG[i, j] * at_G[j]
