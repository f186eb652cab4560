"""A table: a horizontal surface below the tool, flat or curved."""

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

_CENTRE_X, _CENTRE_Y = 0.5, 0.1
_HALF_SIZE = (0.3, 0.4, 0.02)
_START_HEIGHT = 0.05


class TableScene(BallScene):
    """A sprung table top; the tool starts above it, pointing down.

    Stiffness, friction, curvature and the error of its height are hidden from strategies.
    """

    kind: Literal["table"] = "table"
    height: float = param(0.1, "m", "Nominal height of the top in W.", ge=-0.3, le=0.6)
    radius: float | None = param(
        None, "m", "Radius of a top that is a dome with its top below the start; null: flat.",
        ge=0.1, le=10.0,
    )  # fmt: skip

    def build(self, spec: mujoco.MjSpec, tip: mujoco.MjsBody) -> None:
        """Add the table and the tool's tip."""
        add_ball(tip)
        pose = self._pose(self.height + self.height_error)
        fixture = Fixture(spec, pose, stiffness=self.stiffness)
        if self.radius is None:
            top = fixture.add_box(_HALF_SIZE, (0.0, 0.0, -_HALF_SIZE[2]))
        else:
            top = fixture.add_ball(self.radius, (0.0, 0.0, -self.radius))
            # for the links and the gripper, below the dome
            fixture.add_box(*_block_within(self.radius))
        pair_with(spec, top, self.friction)

    def normal(self, centres: Array) -> Array:
        """Upwards, or out of the centre of the dome."""
        if self.radius is None:
            return np.tile((0.0, 0.0, 1.0), (len(centres), 1))
        top = self._pose(self.height + self.height_error)[:3]
        out = centres - (np.array(top) - (0.0, 0.0, self.radius))
        return out / np.linalg.norm(out, axis=1, keepdims=True)

    def nominal(self) -> SceneNominal:
        """Nominal pose of the top."""
        return SceneNominal(name=self.kind, X_WH=self._pose(self.height))

    def start(self) -> PoseNumbers | None:
        """Above the table, pointing down."""
        return (0.45, _CENTRE_Y, self.height + _START_HEIGHT, 0.0, 1.0, 0.0, 0.0)

    @staticmethod
    def _pose(height: float) -> PoseNumbers:
        return (_CENTRE_X, _CENTRE_Y, height, 1.0, 0.0, 0.0, 0.0)


def _block_within(radius: float) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Half size and centre of a block within a dome, no larger than the flat top."""
    x, y = (min(half, 0.6 * radius) for half in _HALF_SIZE[:2])
    below = radius - sqrt(radius**2 - x**2 - y**2)
    return (x, y, _HALF_SIZE[2]), (0.0, 0.0, -below - _HALF_SIZE[2])
