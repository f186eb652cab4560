"""The base class of scenes."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import mujoco

from pliant.params import Params
from pliant.pose import PoseNumbers

TIP_RADIUS = 0.005


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

    @abstractmethod
    def nominal(self) -> SceneNominal:
        """What a strategy may know."""

    @abstractmethod
    def start(self) -> PoseNumbers | None:
        """Initial pose of the tool in W; None for the arm's home."""


def add_ball_tip(tip: mujoco.MjsBody) -> None:
    """Add a ball whose foremost point is the TCP."""
    tip.add_geom(
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[TIP_RADIUS, 0.0, 0.0],
        pos=[0.0, 0.0, -TIP_RADIUS],
        contype=1,
        conaffinity=0,
        rgba=[0.3, 0.3, 0.3, 1.0],
    )
