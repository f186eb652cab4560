"""Free space, without a fixture."""

from typing import Literal

import mujoco

from pliant.pose import PoseNumbers
from pliant.sim.ball_contact import add_ball
from pliant.sim.scenes.scene import Scene, SceneNominal


class FreeScene(Scene):
    """The arm alone."""

    kind: Literal["free"] = "free"

    def build(self, spec: mujoco.MjSpec, tip: mujoco.MjsBody) -> None:
        """Add the tool's tip only."""
        del spec
        add_ball(tip)

    def nominal(self) -> SceneNominal:
        """Only the name."""
        return SceneNominal(name=self.kind)

    def start(self) -> PoseNumbers | None:
        """The arm's home."""
        return None
