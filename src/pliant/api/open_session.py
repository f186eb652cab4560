"""From a spec to a session: which arm, configured how, in this process or in another."""

from collections.abc import Sequence
from math import inf
from typing import Literal

from pliant.api.local_session import LocalSession
from pliant.api.remote_session import RemoteSession, start_session
from pliant.api.session import Session
from pliant.controller.arm_config import ConfigSource, configure
from pliant.controller.warm_up import warm
from pliant.errors import ConfigError
from pliant.laws import Law
from pliant.ring.discovery import controller_name

ClockName = Literal["fast", "real"]


def open_session(
    spec: str,
    clock: ClockName | None,
    config: ConfigSource,
    laws: Sequence[Law],
    seed: int | None,
    history: float,
    flight: bool,
) -> Session:
    """The session that a spec and a clock ask for.

    Kernels are compiled here, with a message, rather than in the first tick.
    """
    if not 0.0 < history < inf:
        raise ConfigError(f"history is a number of seconds above 0, not {history}")
    kind, _, name = spec.partition(":")
    if kind == "attach":
        return RemoteSession(controller_name(name), history)
    arm, settled = configure(spec, config, seed)
    warm(arm)
    if clock in (None, "fast"):
        return LocalSession(arm, settled, laws, history)
    if clock != "real":
        raise ConfigError(f"unknown clock {clock!r}; valid: fast, real")
    if laws:
        raise ConfigError("laws of your own run with clock='fast', or by `pliant control --law`")
    return start_session(spec, settled, history, flight)
