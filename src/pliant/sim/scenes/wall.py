"""A wall: a vertical surface in front of the arm."""

from math import sqrt
from typing import Literal

import mujoco

from pliant.params import param
from pliant.pose import PoseNumbers
from pliant.sim.fixture import Fixture
from pliant.sim.scenes.scene import Scene, SceneNominal, add_ball_tip

_CENTRE_Y, _CENTRE_Z = 0.13, 0.4
_HALF_SIZE = (0.4, 0.4, 0.02)
_START_DISTANCE = 0.05
_HALF = sqrt(0.5)


class WallScene(Scene):
    """A sprung wall facing the base; the tool starts before it, pointing at it (along W's x)."""

    kind: Literal["wall"] = "wall"
    x: float = param(0.6, "m", "Distance of the surface in W.", ge=0.4, le=0.8)
    stiffness: float = param(1e4, "N/m", "Stiffness of the wall.", ge=1e3, le=1e5)
    friction: float = param(0.3, "1", "Coefficient of friction.", ge=0.0, le=2.0)

    def build(self, spec: mujoco.MjSpec, tip: mujoco.MjsBody) -> None:
        """Add the wall and the tool's tip."""
        add_ball_tip(tip)
        fixture = Fixture(spec, self._pose(), stiffness=self.stiffness, friction=self.friction)
        fixture.add_box(_HALF_SIZE, (0.0, 0.0, -_HALF_SIZE[2]))

    def nominal(self) -> SceneNominal:
        """Nominal pose of the surface."""
        return SceneNominal(name=self.kind, X_WH=self._pose())

    def start(self) -> PoseNumbers | None:
        """Before the wall, tool z along W's x and tool x along W's z."""
        return (self.x - _START_DISTANCE, _CENTRE_Y, _CENTRE_Z, 0.0, _HALF, 0.0, _HALF)

    def _pose(self) -> PoseNumbers:
        # z of the surface points back at the arm, along -x of W
        return (self.x, _CENTRE_Y, _CENTRE_Z, _HALF, 0.0, -_HALF, 0.0)
