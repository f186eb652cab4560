"""Robot specs of simulated arms: `sim:ur5e`, `sim:ur5e/peg`."""

from pliant.arms.description import load_arm
from pliant.errors import ConfigError
from pliant.sim.scenes import scene_class

PREFIX = "sim:"


def parse_sim_spec(spec: str) -> tuple[str, str]:
    """The names of arm and scene in a spec; free space if it names no scene.

    Raises:
        ConfigError: The spec is not that of a simulated arm.
        UnknownNameError: There is no such arm or scene.
    """
    if not spec.startswith(PREFIX):
        raise ConfigError(f"a simulated arm is sim:<arm> or sim:<arm>/<scene>, got {spec!r}")
    arm, _, scene = spec.removeprefix(PREFIX).partition("/")
    load_arm(arm)
    scene_class(scene or "free")
    return arm, scene or "free"
