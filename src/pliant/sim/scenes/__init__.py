"""Scenes: the environment of the arm. A robot spec selects one by its name."""

from typing import Annotated

from pydantic import Field

from pliant.errors import UnknownNameError
from pliant.sim.scenes.free import FreeScene
from pliant.sim.scenes.peg import PegScene
from pliant.sim.scenes.scene import Scene, SceneNominal
from pliant.sim.scenes.table import TableScene
from pliant.sim.scenes.wall import WallScene

SomeScene = FreeScene | TableScene | WallScene | PegScene
AnyScene = Annotated[SomeScene, Field(discriminator="kind")]
"""Any of the scenes; `kind` selects one in a configuration."""

SCENES: dict[str, type[SomeScene]] = {
    "free": FreeScene,
    "table": TableScene,
    "wall": WallScene,
    "peg": PegScene,
}

__all__ = ["SCENES", "AnyScene", "Scene", "SceneNominal", "scene_class"]


def scene_class(name: str) -> type[SomeScene]:
    """The config model of a scene by its name.

    Raises:
        UnknownNameError: There is no such scene; the error lists the valid names.
    """
    if name not in SCENES:
        raise UnknownNameError("scene", name, sorted(SCENES))
    return SCENES[name]
