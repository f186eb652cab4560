"""A peg, and a hole with an offset from its nominal position."""

from typing import Literal

import mujoco
import numpy as np

from pliant.numerics.spatial import quat_exp, quat_to_matrix
from pliant.params import Number, Vector3, param
from pliant.pose import PoseNumbers
from pliant.sim.fixture import Fixture
from pliant.sim.peg_contact import PegContact, add_slots
from pliant.sim.peg_shape import PegShape
from pliant.sim.scenes.scene import SceneNominal, SurfaceScene
from pliant.sim.tip_contact import Contact

Vector2 = tuple[Number, Number]

SHARPEST = 2e-5
"""Radius of a sharp edge, m: about that of a machined one that was deburred by hand."""

_BLOCK_HALF_SIZE = (0.06, 0.06, 0.02)
_START_HEIGHT = 0.04
_PEG_BEYOND = 0.01
"""Length of the peg beyond the depth of the hole, m."""


class PegScene(SurfaceScene):
    """A round peg in the gripper, and a block with a hole below it.

    Only the nominal position and the sizes of hole and peg are known to strategies, without their
    clearance. The block's face has no end.
    """

    kind: Literal["peg"] = "peg"
    hole: Vector3 = param((0.45, 0.1, 0.1), "m", "Nominal centre of the hole's rim in W.")
    radius: float = param(0.010, "m", "Radius of the peg.", ge=0.003, le=0.03)
    clearance: float = param(3e-4, "m", "Radial clearance.", ge=3e-5, le=5e-3)
    depth: float = param(0.025, "m", "Depth of the hole.", ge=0.005, le=0.05)
    rounding: float = param(
        2e-4, "m", "Radius of the edges of peg and hole; 0: sharp, which is 0.02 mm.",
        ge=0.0, le=1e-3,
    )  # fmt: skip
    offset: Vector2 = param(
        (0.001, 0.0), "m", "True minus nominal position of the hole in W, x and y."
    )
    tilt: Vector2 = param(
        (0.0, 0.0), "rad", "True tilt of the hole: rotation vector in W, x and y."
    )
    rotational_stiffness: float = param(
        0.0, "N·m/rad", "Rotational stiffness of the block about the rim's centre; 0: rigid.",
        ge=0.0, le=500.0,
    )  # fmt: skip
    grasp_shift: Vector2 = param(
        (0.0, 0.0), "m", "How far the peg's tip is off the TCP, x and y in T."
    )
    grasp_tilt: Vector2 = param(
        (0.0, 0.0), "rad", "How far the peg is tilted in the gripper: rotation vector in T."
    )

    def build(self, spec: mujoco.MjSpec, tip: mujoco.MjsBody) -> None:
        """Add the block with its hole, and the peg."""
        self._draw_peg(tip)
        fixture = Fixture(
            spec,
            self._true_pose(),
            stiffness=self.stiffness,
            rotational_stiffness=self.rotational_stiffness,
        )
        # for the links and the gripper, which do not fit into the hole; the peg touches by slots
        fixture.add_box(_BLOCK_HALF_SIZE, (0.0, 0.0, -_BLOCK_HALF_SIZE[2]))
        add_slots(spec, tip, fixture.body, self.friction)

    def contact(self, model: mujoco.MjModel, data: mujoco.MjData, tip: int) -> Contact:
        """The contact of peg and hole."""
        return PegContact(model, data, tip, self._shape(), self.stiffest)

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
        w, x, y, z = (float(c) for c in _turn(self.tilt))
        hole_x, hole_y, hole_z = self.hole
        place = (hole_x + self.offset[0], hole_y + self.offset[1], hole_z + self.height_error)
        return (*place, w, x, y, z)

    def _shape(self) -> PegShape:
        R_TG = np.empty((3, 3))
        quat_to_matrix(_turn(self.grasp_tilt), R_TG)
        edge = max(self.rounding, SHARPEST)
        return PegShape(
            radius=self.radius,
            hole_radius=self.radius + self.clearance,
            depth=self.depth,
            tip_rounding=edge,
            rim_rounding=edge,
            p_TG=np.array([*self.grasp_shift, 0.0]),
            R_TG=R_TG,
        )

    def _draw_peg(self, tip: mujoco.MjsBody) -> None:
        """Add the cylinder, for the eye only."""
        half_length, quat = 0.5 * (self.depth + _PEG_BEYOND), _turn(self.grasp_tilt)
        axis = np.empty((3, 3))
        quat_to_matrix(quat, axis)
        tip.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CYLINDER,
            size=[self.radius, half_length, 0.0],
            pos=np.array([*self.grasp_shift, 0.0]) - half_length * axis[:, 2],
            quat=quat,
            contype=0,
            conaffinity=0,
            rgba=[0.3, 0.3, 0.3, 1.0],
        )


def _turn(vector: Vector2) -> np.ndarray:
    quat = np.empty(4)
    quat_exp(np.array([*vector, 0.0]), quat)
    return quat
