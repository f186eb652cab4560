"""A ring for an arm in simulated time, so that others can watch it."""

import os
import secrets
import time
from dataclasses import asdict
from typing import Any

from pliant.loop.loop import Loop
from pliant.ring.ring import RingWriter
from pliant.ring.runtime_folder import RING_SUFFIX, ProcessId, clean_up, runtime_folder
from pliant.robots.sim import SimRobot
from pliant.tick import Rows

RING_SECONDS = 12.0
"""How much of the past a ring holds."""


def new_ring(
    name: str, spec: str, robot: SimRobot, loop: Loop, about: dict[str, Any]
) -> RingWriter:
    """A ring by which an arm can be found.

    Args:
        name: Under which name.
        spec: Which arm, as it is given on a command line.
        robot: The arm.
        loop: The loop that drives it.
        about: What a recording says of it.
    """
    me = ProcessId.of(os.getpid())
    header = {
        "about": about,
        "spec": spec,
        "dt": robot.dt,
        "pid": os.getpid(),
        "started": me.started if me else 0,
        "laws": loop.supervisor.law_names,
        "scene": asdict(robot.scene_nominal),
        "config": loop.supervisor.config.to_yaml(),
    }
    path = runtime_folder() / f"{name}{RING_SUFFIX}"
    return RingWriter(path, robot.n, round(RING_SECONDS / robot.dt), header)


class ShownRing:
    """Publishes an arm in simulated time, and lets that pass no faster than people can watch.

    Attributes:
        name: Under which name it is found.
    """

    def __init__(self, spec: str, robot: SimRobot, loop: Loop, about: dict[str, Any]) -> None:
        clean_up()
        self.name = f"{robot.description.name}-{os.getpid()}-{secrets.token_hex(3)}"
        self._ring = new_ring(self.name, spec, robot, loop, about)
        self._dt = robot.dt
        self._due = time.monotonic()

    def publish(self, tick: Rows) -> None:
        """Publish a tick when its time has come."""
        self._ring.publish(tick)
        now = time.monotonic()
        # what the program itself took is not caught up on
        self._due = max(self._due + self._dt, now - self._dt)
        if self._due > now:
            time.sleep(self._due - now)

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Publish a line."""
        self._ring.write_line(kind, tick, text)

    def close(self) -> None:
        """Tell who watches that nothing more will come."""
        self._ring.close()
