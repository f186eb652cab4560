"""List the simulated arms and scenes."""

from rich.console import Console
from rich.table import Table

from pliant.arms.description import arm_names, load_arm
from pliant.sim.scenes import SCENES


def list_scenes() -> None:
    """Print the simulated arms and scenes; a spec is sim:ARM/SCENE."""
    arms = Table("arm", "commanded by", "at", title="sim:ARM, in free space", **_STYLE)
    for name in arm_names():
        arm = load_arm(name)
        arms.add_row(f"sim:{name}", f"{arm.interface}s", f"{arm.rate:g} Hz")
    scenes = Table(
        "scene", "what it is", "parameters", title="sim:ARM/SCENE, with any arm", **_STYLE
    )
    for name, scene in SCENES.items():
        parameters = ", ".join(n for n in scene.model_fields if n != "kind")
        scenes.add_row(f"sim:ur5e/{name}", (scene.__doc__ or "").splitlines()[0], parameters)
    console = Console()
    console.print(arms)
    console.print(scenes)
    console.print(
        "Parameters of a scene are in the configuration: sim: {scene: {kind: table, stiffness: "
        "20000}}; docs/configuration.md has them."
    )


_STYLE = {"title_justify": "left", "box": None, "padding": (0, 2, 0, 0)}

VERB = list_scenes
