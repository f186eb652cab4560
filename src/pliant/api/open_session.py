"""From a spec to a session: which arm, configured how, in this process or in another."""

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any, Literal

from pliant.api.local_session import FastSession
from pliant.api.remote_session import RemoteSession, controller_name, start_controller
from pliant.api.session import Session
from pliant.config import Config
from pliant.errors import ConfigError
from pliant.laws import Law
from pliant.sim.scenes import scene_class
from pliant.sim.spec import parse_sim_spec

ClockName = Literal["fast", "real"]
ConfigSource = Config | dict[str, Any] | str | Path | None


def compile_if_need_be(spec: str) -> None:
    """Compile the kernels, and say so, rather than let the first tick take half a minute."""
    # warm drives an arm itself, so it cannot be imported before this module
    from pliant.controller.warm_up import warm

    if not spec.startswith("attach"):
        warm(parse_sim_spec(spec)[0])


def open_session(
    spec: str,
    clock: ClockName | None,
    config: ConfigSource,
    laws: Sequence[Law],
    seed: int | None,
    history: float,
    flight: bool,
) -> Session:
    """The session that a spec and a clock ask for."""
    if not 0.0 < history < inf:
        raise ConfigError(f"history is a number of seconds above 0, not {history}")
    kind, _, name = spec.partition(":")
    if kind == "attach":
        return RemoteSession(controller_name(name), history)
    arm, settled = configure(spec, config, seed)
    if clock in (None, "fast"):
        return FastSession(arm, settled, laws, history)
    if clock != "real":
        raise ConfigError(f"unknown clock {clock!r}; valid: fast, real")
    if laws:
        raise ConfigError("laws of your own run with clock='fast', or by `pliant control --law`")
    name, process = start_controller(spec, settled, flight)
    return RemoteSession(name, history, process)


def configure(spec: str, config: ConfigSource, seed: int | None) -> tuple[str, Config]:
    """The arm's name and the configuration for a spec."""
    arm, scene = parse_sim_spec(spec)
    if seed is not None and seed < 0:
        raise ConfigError(f"a seed is a whole number from 0 on, not {seed}")
    if config is None:
        config = Config()
    elif isinstance(config, dict):
        config = Config.from_dict(config)
    elif not isinstance(config, Config):
        config = Config.from_yaml(config)
    sim = config.sim
    updates: dict[str, Any] = {}
    if sim.scene is None:
        updates["scene"] = scene_class(scene)()
    elif sim.scene.kind != scene:
        raise ConfigError(f"the spec {spec} and the configured scene {sim.scene.kind} differ")
    if sim.tool is None:
        updates["tool"] = config.tool
    if seed is not None:
        updates["seed"] = seed
    return arm, config.model_copy(update={"sim": sim.model_copy(update=updates)})
