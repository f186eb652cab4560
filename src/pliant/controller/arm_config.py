"""From a robot spec to its configuration."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pliant.config import Config, config_class, nested, with_laws
from pliant.laws import Law
from pliant.robots.registry import settle
from pliant.sim.spec import PREFIX, parse_place

ConfigSource = Config | dict[str, Any] | str | Path | None


def configure(
    spec: str, config: ConfigSource, seed: int | None, laws: Sequence[Law] = ()
) -> Config:
    """The configuration for a robot, with what its spec says filled in.

    Args:
        spec: Which robot, as on a command line.
        config: Parameters: a `Config`, nested values, YAML text or a YAML file; None is the
            default.
        seed: Seed of everything random in a simulation; None is as configured.
        laws: Laws of the user's own, whose parameters it may have too.

    Raises:
        ConfigError: A value cannot work, or the spec and the configuration contradict each other.
        UnknownNameError: There is no such robot.
    """
    if isinstance(config, dict) and spec.startswith(PREFIX):
        config = _with_kind(nested(config), parse_place(spec.removeprefix(PREFIX))[1])
    return settle(spec, _read(config, laws), seed)


def _with_kind(config: dict[str, Any], kind: str) -> dict[str, Any]:
    """Nested values in which parameters of a scene without its kind are of the spec's scene."""
    sim = config.get("sim")
    scene = sim.get("scene") if isinstance(sim, dict) else None
    if not isinstance(sim, dict) or not isinstance(scene, dict):
        return config
    return config | {"sim": sim | {"scene": {"kind": kind} | scene}}


def _read(config: ConfigSource, laws: Sequence[Law]) -> Config:
    if isinstance(config, Config):
        return with_laws(config, laws)
    kind = config_class(laws)
    if config is None:
        return kind()
    return kind.from_dict(config) if isinstance(config, dict) else kind.from_yaml(config)
