"""A table: a horizontal surface below the tool."""

from typing import Literal

import mujoco

from pliant.params import param
from pliant.pose import PoseNumbers
from pliant.sim.fixture import Fixture
from pliant.sim.scenes.scene import Scene, SceneNominal, add_ball_tip

_CENTRE_X, _CENTRE_Y = 0.5, 0.1
_HALF_SIZE = (0.3, 0.4, 0.02)
_START_HEIGHT = 0.05


class TableScene(Scene):
    """A sprung table top; the tool starts above it, pointing down."""

    kind: Literal["table"] = "table"
    height: float = param(0.1, "m", "Height of the top in W.", ge=-0.3, le=0.6)
    stiffness: float = param(1e4, "N/m", "Stiffness of the top.", ge=1e3, le=1e5)
    friction: float = param(0.3, "1", "Coefficient of friction.", ge=0.0, le=2.0)

    def build(self, spec: mujoco.MjSpec, tip: mujoco.MjsBody) -> None:
        """Add the table and the tool's tip."""
        add_ball_tip(tip)
        fixture = Fixture(
            spec, self._pose(self.height), stiffness=self.stiffness, friction=self.friction
        )
        fixture.add_box(_HALF_SIZE, (0.0, 0.0, -_HALF_SIZE[2]))

    def nominal(self) -> SceneNominal:
        """Nominal pose of the top."""
        return SceneNominal(name=self.kind, X_WH=self._pose(self.height))

    def start(self) -> PoseNumbers | None:
        """Above the table, pointing down."""
        return (0.45, _CENTRE_Y, self.height + _START_HEIGHT, 0.0, 1.0, 0.0, 0.0)

    @staticmethod
    def _pose(height: float) -> PoseNumbers:
        return (_CENTRE_X, _CENTRE_Y, height, 1.0, 0.0, 0.0, 0.0)
