"""From a spec to a session: which arm, configured how, in this process or in another."""

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Literal

from pliant.api.local_session import LocalSession
from pliant.api.remote_session import RemoteSession, start_session
from pliant.api.session import Session
from pliant.controller.arm_config import ConfigSource, configure
from pliant.controller.warm_up import warm
from pliant.errors import ConfigError
from pliant.extras import require_linux
from pliant.laws import Law
from pliant.loop.metadata import law_files
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
    motions: Sequence[str | Path] = (),
) -> Session:
    """The session that a spec and a clock ask for.

    Kernels are compiled here, with a message, rather than in the first tick.
    """
    if not 0.0 < history < inf:
        raise ConfigError(f"history is a number of seconds above 0, not {history}")
    kind, _, name = spec.partition(":")
    if kind == "attach":
        require_linux("a running controller")
        return RemoteSession(controller_name(name), history)
    settled = configure(spec, config, seed, laws)
    warm(spec)
    if clock in (None, "fast"):
        return LocalSession(spec, settled, laws, history)
    if clock != "real":
        raise ConfigError(f"unknown clock {clock!r}; valid: fast, real")
    require_linux("the real-time clock")
    folders = tuple(Path(folder) for folder in motions)
    return start_session(spec, settled, _files(laws), history, flight, folders)


def _files(laws: Sequence[Law]) -> tuple[str, ...]:
    """Where the controller's process finds laws of the user's own.

    Raises:
        ConfigError: A law is not in a file of its own.
    """
    files = law_files(laws)
    for law in laws:
        if law.name not in files:
            raise ConfigError(
                f"law {law.name}: with clock='real' the controller's process loads it from its "
                "file, so it must be in a module, not in the program itself"
            )
    return tuple(files.values())
