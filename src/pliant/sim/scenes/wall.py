"""A wall: a vertical surface in front of the arm."""

from math import sqrt
from typing import Literal

import mujoco
import numpy as np

from pliant.numerics.spatial import Array
from pliant.params import param
from pliant.pose import PoseNumbers
from pliant.sim.ball_contact import add_ball, pair_with
from pliant.sim.fixture import Fixture
from pliant.sim.scenes.scene import BallScene, SceneNominal

_CENTRE_Y, _CENTRE_Z = 0.13, 0.4
_HALF_SIZE = (0.4, 0.4, 0.02)
_START_DISTANCE = 0.05
_HALF = sqrt(0.5)


class WallScene(BallScene):
    """A sprung wall facing the base; the tool starts before it, pointing at it (along W's x).

    Stiffness, friction and the error of its distance are hidden from strategies.
    """

    kind: Literal["wall"] = "wall"
    x: float = param(0.6, "m", "Nominal distance of the surface in W.", ge=0.4, le=0.8)

    def build(self, spec: mujoco.MjSpec, tip: mujoco.MjsBody) -> None:
        """Add the wall and the tool's tip."""
        add_ball(tip)
        pose = self._pose(self.x - self.height_error)
        fixture = Fixture(spec, pose, stiffness=self.stiffness)
        wall = fixture.add_box(_HALF_SIZE, (0.0, 0.0, -_HALF_SIZE[2]))
        pair_with(spec, wall, self.friction)

    def normal(self, centres: Array) -> Array:
        """Back at the arm."""
        return np.tile((-1.0, 0.0, 0.0), (len(centres), 1))

    def nominal(self) -> SceneNominal:
        """Nominal pose of the surface."""
        return SceneNominal(name=self.kind, X_WH=self._pose(self.x))

    def start(self) -> PoseNumbers | None:
        """Before the wall, tool z along W's x and tool x along W's z."""
        return (self.x - _START_DISTANCE, _CENTRE_Y, _CENTRE_Z, 0.0, _HALF, 0.0, _HALF)

    @staticmethod
    def _pose(x: float) -> PoseNumbers:
        # z of the surface points back at the arm, along -x of W
        return (x, _CENTRE_Y, _CENTRE_Z, _HALF, 0.0, -_HALF, 0.0)
