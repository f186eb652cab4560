"""The ring that a loop publishes to, by which other programs find its arm."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pliant.loop.loop import Loop
from pliant.ring.ring import RING_SECONDS, RingWriter
from pliant.ring.runtime_folder import RING_SUFFIX, runtime_folder


def new_ring(
    name: str,
    spec: str,
    loop: Loop,
    metadata: dict[str, Any],
    guard: Callable[[Path], None] = lambda _: None,
) -> RingWriter:
    """Make the ring of an arm.

    Args:
        name: The name under which other programs find it.
        spec: Which arm, as on a command line.
        loop: The loop that drives it.
        metadata: What a recording says of it.
        guard: Called with the ring's memory before it is sealed.
    """
    robot = loop.robot
    header = {
        "about": metadata,
        "spec": spec,
        "dt": robot.dt,
        "laws": loop.supervisor.law_names,
        "scene": asdict(robot.scene_nominal) if robot.scene_nominal else None,
        "config": loop.supervisor.config.to_yaml(),
    }
    path = runtime_folder() / f"{name}{RING_SUFFIX}"
    return RingWriter(path, robot.n, round(RING_SECONDS / robot.dt), header, guard)
