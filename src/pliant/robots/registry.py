"""The registry of robots: from a spec like `sim:ur5e/peg` to a backend."""

import importlib
from typing import Any

from pliant.arms.description import ArmDescription, arm_names
from pliant.errors import UnknownNameError
from pliant.robots.base import Robot, Stopper
from pliant.user_file import is_file_class, load_class

BACKENDS = {
    "sim": "pliant.robots.sim:SimRobot",
    "ur": "pliant.robots.ur.ur_robot:UrRobot",
    "franka": "pliant.robots.franka.franka_robot:FrankaRobot",
}
"""The class of each kind of robot, by the prefix of its spec; imported when it is needed."""


def open_robot(spec: str, config: Any, rate: float | None = None) -> Robot:
    """Make the robot that a spec names; it is not yet connected.

    Args:
        spec: Which robot: `sim:ur5e/peg`, `ur:<host>`, `franka:<host>`, or
            `./my_robot.py:MyRobot` for one of your own.
        config: The configuration, settled for this spec.
        rate: Control rate, Hz; the arm's own if None.

    Raises:
        ConfigError: A parameter cannot work.
        UnknownNameError: There is no such robot.
    """
    backend, place = _backend(spec)
    return backend.open(place, config, rate)


def settle(spec: str, config: Any, seed: int | None) -> Any:
    """A configuration with what a spec says of it filled in, such as scene and seed.

    Raises:
        ConfigError: The spec and the configuration contradict each other.
        UnknownNameError: There is no such robot.
    """
    backend, place = _backend(spec)
    return backend.settle(place, config, seed)


def describe_robot(spec: str) -> ArmDescription:
    """The arm that a spec names, without a connection to it.

    Raises:
        UnknownNameError: There is no such robot.
    """
    backend, place = _backend(spec)
    return backend.describe(place)


def check_robot(spec: str) -> None:
    """Refuse a spec that names no robot; one of a user's own is loaded, but not made.

    Raises:
        UnknownNameError: There is no such robot.
        ConfigError: The user's file has no such class.
    """
    backend, place = _backend(spec)
    if not is_file_class(spec):
        backend.describe(place)


def is_simulated(spec: str) -> bool:
    """Whether the robot that a spec names may run in simulated time.

    Raises:
        UnknownNameError: There is no such robot.
    """
    backend, _ = _backend(spec)
    return backend.simulated


def has_stopper(spec: str) -> bool:
    """Whether the robot that a spec names can be stopped on a connection of its own."""
    backend, _ = _backend(spec)
    return backend.open_stopper.__func__ is not Robot.open_stopper.__func__


def open_stopper(spec: str, config: Any) -> Stopper | None:
    """Connect what can stop the robot that a spec names when its controller cannot.

    Raises:
        PliantError: There is no connection.
    """
    backend, place = _backend(spec)
    return backend.open_stopper(place, config)


def _backend(spec: str) -> tuple[type[Robot], str]:
    """The class of a spec, and what is left of the spec for it."""
    if is_file_class(spec):
        return load_class(spec, Robot, "robot"), spec
    kind, _, place = spec.partition(":")
    if kind not in BACKENDS:
        simulated = [f"sim:{name}" for name in arm_names()]
        others = [f"{name}:…" for name in BACKENDS if name != "sim"]
        raise UnknownNameError("robot", spec, [*simulated, *others, "FILE.py:CLASS"])
    module, _, name = BACKENDS[kind].partition(":")
    return getattr(importlib.import_module(module), name), place
