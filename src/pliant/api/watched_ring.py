"""A ring for an arm in simulated time, so that other programs can watch it."""

import os
import secrets
import time
from typing import Any

from pliant.controller.published_ring import new_ring
from pliant.extras import require_linux
from pliant.loop.loop import Loop
from pliant.ring.runtime_folder import clean_up
from pliant.tick import Rows


class WatchedRing:
    """Publishes an arm in simulated time, and slows that down to real time for people to watch.

    Attributes:
        name: The name under which other programs find it.
    """

    def __init__(self, spec: str, loop: Loop, metadata: dict[str, Any]) -> None:
        require_linux("watching an arm from another program")
        clean_up()
        self.name = f"{loop.arm.name}-{os.getpid()}-{secrets.token_hex(3)}"
        self._ring = new_ring(self.name, spec, loop, metadata)
        self._dt = loop.robot.dt
        self._due = time.monotonic()

    def publish(self, tick: Rows) -> None:
        """Publish a tick, and wait until it is due."""
        self._ring.publish(tick)
        now = time.monotonic()
        # do not catch up on time that the program itself spent
        self._due = max(self._due + self._dt, now - self._dt)
        if self._due > now:
            time.sleep(self._due - now)

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Publish a line."""
        self._ring.write_line(kind, tick, text)

    def close(self) -> None:
        """Tell readers that nothing more will come."""
        self._ring.close()
