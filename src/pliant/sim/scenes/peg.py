"""A peg, and a hole with an offset from its nominal position.

A peg in a hole touches in two places: the edge of its tip on the wall, and its side on the rim.
A cylinder against boxes has wrong lateral normals there, so each of the two edges is a ring of
small spheres: the ring of the tip touches the walls of the hole, which are boxes with faces tangent
to its circle; the ring of the rim touches the cylinder of the peg.
"""

from math import cos, pi, sin, tan
from typing import Literal

import mujoco
import numpy as np

from pliant.numerics.spatial import quat_exp
from pliant.params import Number, Vector3, param
from pliant.pose import PoseNumbers
from pliant.sim.fixture import EDGE, SURFACE, Fixture
from pliant.sim.scenes.scene import Scene, SceneNominal

Vector2 = tuple[Number, Number]

_RING_SPHERES = 32
_SPHERE_RADIUS = 0.0002
_WALLS = 24
_BLOCK_RADIUS = 0.06
_FLOOR = 0.01
_START_HEIGHT = 0.04
_PEG_BEYOND = 0.01
"""Length of the peg beyond the depth of the hole, m."""


class PegScene(Scene):
    """A round peg in the gripper, and a block with a hole below it.

    Offset, tilt, clearance, stiffness and friction are hidden from strategies.
    """

    kind: Literal["peg"] = "peg"
    hole: Vector3 = param((0.45, 0.1, 0.1), "m", "Nominal centre of the hole's rim in W.")
    radius: float = param(0.010, "m", "Radius of the peg.", ge=0.003, le=0.03)
    clearance: float = param(3e-4, "m", "Radial clearance.", ge=1e-4, le=5e-3)
    depth: float = param(0.025, "m", "Depth of the hole.", ge=0.005, le=0.05)
    offset: Vector2 = param(
        (0.001, 0.0), "m", "True minus nominal position of the hole in W, x and y."
    )
    tilt: Vector2 = param(
        (0.0, 0.0), "rad", "True tilt of the hole: rotation vector in W, x and y."
    )
    stiffness: float = param(1e4, "N/m", "Stiffness of the block.", ge=1e3, le=1e5)
    friction: float = param(0.3, "1", "Coefficient of friction.", ge=0.0, le=2.0)

    def build(self, spec: mujoco.MjSpec, tip: mujoco.MjsBody) -> None:
        """Add the block with its hole, and the peg."""
        self._add_peg(tip)
        fixture = Fixture(
            spec,
            self._true_pose(),
            stiffness=self.stiffness,
            friction=self.friction,
            points=_RING_SPHERES,
        )
        self._add_walls(fixture)
        self._add_rim(fixture)
        half_floor = (_BLOCK_RADIUS, _BLOCK_RADIUS, _FLOOR)
        fixture.add_box(half_floor, (0.0, 0.0, -self.depth - _FLOOR))

    def nominal(self) -> SceneNominal:
        """Nominal pose of the hole, and the sizes of hole and peg."""
        return SceneNominal(
            name=self.kind,
            X_WH=(*self.hole, 1.0, 0.0, 0.0, 0.0),
            hole_depth=self.depth,
            peg_radius=self.radius,
        )

    def start(self) -> PoseNumbers | None:
        """Above the nominal hole, peg pointing down."""
        x, y, z = self.hole
        return (x, y, z + _START_HEIGHT, 0.0, 1.0, 0.0, 0.0)

    def _true_pose(self) -> PoseNumbers:
        quat = np.empty(4)
        quat_exp(np.array([*self.tilt, 0.0]), quat)
        w, x, y, z = (float(c) for c in quat)
        hole_x, hole_y, hole_z = self.hole
        return (hole_x + self.offset[0], hole_y + self.offset[1], hole_z, w, x, y, z)

    def _add_walls(self, fixture: Fixture) -> None:
        """Boxes around the hole; each is as wide as its sector at the edge of the block."""
        inner = self.radius + self.clearance
        half_radial = 0.5 * (_BLOCK_RADIUS - inner)
        half_size = (half_radial, _BLOCK_RADIUS * tan(pi / _WALLS), 0.5 * self.depth)
        for i in range(_WALLS):
            angle = 2.0 * pi * i / _WALLS
            r = inner + half_radial
            pos = (r * cos(angle), r * sin(angle), -0.5 * self.depth)
            turn = (cos(angle / 2), 0.0, 0.0, sin(angle / 2))
            fixture.add_box(half_size, pos, turn)

    def _add_rim(self, fixture: Fixture) -> None:
        """The hole's edge, rounded: spheres flush with its wall and with the surface."""
        for place in _ring(self.radius + self.clearance + _SPHERE_RADIUS, -_SPHERE_RADIUS):
            fixture.add_sphere(_SPHERE_RADIUS, place)

    def _add_peg(self, tip: mujoco.MjsBody) -> None:
        """The edge of the tip, touching the TCP's plane, and the cylinder behind it."""
        for place in _ring(self.radius - _SPHERE_RADIUS, -_SPHERE_RADIUS):
            tip.add_geom(
                type=mujoco.mjtGeom.mjGEOM_SPHERE,
                size=[_SPHERE_RADIUS, 0.0, 0.0],
                pos=place,
                contype=SURFACE,
                conaffinity=0,
            )
        half_length = 0.5 * (self.depth + _PEG_BEYOND)
        tip.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CYLINDER,
            size=[self.radius, half_length, 0.0],
            pos=[0.0, 0.0, -half_length],
            contype=EDGE,
            conaffinity=0,
            rgba=[0.3, 0.3, 0.3, 1.0],
        )


def _ring(radius: float, z: float) -> list[tuple[float, float, float]]:
    angles = [2.0 * pi * (i + 0.5) / _RING_SPHERES for i in range(_RING_SPHERES)]
    return [(radius * cos(angle), radius * sin(angle), z) for angle in angles]
