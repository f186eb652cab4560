"""From a robot spec to an arm and its configuration."""

from pathlib import Path
from typing import Any

from pliant.config import Config
from pliant.errors import ConfigError
from pliant.sim.scenes import scene_class
from pliant.sim.spec import parse_sim_spec

ConfigSource = Config | dict[str, Any] | str | Path | None


def configure(spec: str, config: ConfigSource, seed: int | None) -> tuple[str, Config]:
    """The arm's name, and the configuration with scene, tool and seed filled in.

    Args:
        spec: Which arm, as on a command line.
        config: Parameters: a `Config`, nested values, YAML text or a YAML file; None is the
            default.
        seed: Seed of everything random in the simulation; None is as configured.

    Raises:
        ConfigError: A value cannot work, or the spec and the configuration name different scenes.
    """
    arm, scene = parse_sim_spec(spec)
    if seed is not None and seed < 0:
        raise ConfigError(f"the seed must be a non-negative integer, not {seed}")
    settled = _read(config)
    sim = settled.sim
    updates: dict[str, Any] = {}
    if sim.scene is None:
        updates["scene"] = scene_class(scene)()
    elif sim.scene.kind != scene:
        raise ConfigError(
            f"{spec} asks for the scene {scene}, but the configuration has {sim.scene.kind}: "
            "change one of them"
        )
    if sim.tool is None:
        updates["tool"] = settled.tool
    if seed is not None:
        updates["seed"] = seed
    return arm, settled.model_copy(update={"sim": sim.model_copy(update=updates)})


def _read(config: ConfigSource) -> Config:
    if config is None:
        return Config()
    if isinstance(config, Config):
        return config
    if isinstance(config, dict):
        return Config.from_dict(config)
    return Config.from_yaml(config)
