"""The base classes of scenes."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import mujoco

from pliant.numerics.spatial import Array
from pliant.params import Params, param
from pliant.pose import PoseNumbers
from pliant.sim.ball_contact import BallContact
from pliant.sim.tip_contact import Contact, NoContact


@dataclass(frozen=True, kw_only=True)
class SceneNominal:
    """What a strategy may know of a scene: nominal values as in a drawing, not the true ones.

    Attributes:
        name: The scene's name.
        X_WH: Nominal pose of the surface, or of the hole's rim in it: z points out of the surface.
            None in free space.
        hole_depth: Nominal depth of the hole, m; 0 without a hole.
        peg_radius: Radius of the peg, m; 0 without a peg.
    """

    name: str
    X_WH: PoseNumbers | None = None
    hole_depth: float = 0.0
    peg_radius: float = 0.0


class Scene(Params, ABC):
    """The parameters of a scene, and its construction."""

    @abstractmethod
    def build(self, spec: mujoco.MjSpec, tip: mujoco.MjsBody) -> None:
        """Add the fixture to the world, and contact shapes to the tip, a body at T."""

    def contact(self, model: mujoco.MjModel, data: mujoco.MjData, tip: int) -> Contact:
        """The contact in the compiled world; the model may be changed."""
        del model, data, tip
        return NoContact()

    def change(self) -> tuple[float, float] | None:
        """A change under way: its time, s, and the fixture's stiffness after it, N/m."""
        return None

    @abstractmethod
    def nominal(self) -> SceneNominal:
        """What a strategy may know."""

    @abstractmethod
    def start(self) -> PoseNumbers | None:
        """Initial pose of the tool in W; None for the arm's home."""


class SurfaceScene(Scene):
    """A scene with a fixture. All its parameters are hidden from strategies."""

    stiffness: float = param(1e4, "N/m", "Stiffness of the fixture.", ge=1e3, le=1e5)
    friction: float = param(0.3, "1", "Coefficient of friction.", ge=0.0, le=2.0)
    height_error: float = param(
        0.0, "m", "How far the true surface is above the nominal one.", ge=-0.01, le=0.01
    )
    later_stiffness: float | None = param(
        None, "N/m", "Stiffness after a change under way; null: none.", ge=1e3, le=1e5
    )
    later_time: float = param(
        0.0, "s", "Time of that change; the force does not jump.", ge=0.0, le=1e4
    )

    def change(self) -> tuple[float, float] | None:
        """The change of stiffness, if any."""
        return None if self.later_stiffness is None else (self.later_time, self.later_stiffness)

    @property
    def stiffest(self) -> float:
        """The largest stiffness that the fixture ever has, N/m."""
        return max(self.stiffness, self.later_stiffness or 0.0)


class BallScene(SurfaceScene):
    """A scene that is touched by a ball at the tip."""

    @abstractmethod
    def normal(self, centres: Array) -> Array:
        """Where the true surface points, where a ball touches it: unit vectors in W.

        Args:
            centres: Positions of the ball's centre in W, one a row.
        """

    def contact(self, model: mujoco.MjModel, data: mujoco.MjData, tip: int) -> Contact:
        """The contact of the ball."""
        del data
        return BallContact(model, tip, self.stiffness, self.stiffest)
