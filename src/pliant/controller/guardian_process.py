"""The guardian of a controller, seen from the controller: starting it, and noticing its end."""

import json
import os
from pathlib import Path

from pliant.config import Config
from pliant.controller.tick_silence import silence_limit
from pliant.processes import Child
from pliant.robots.base import Robot
from pliant.robots.registry import has_stopper

_READY_TIMEOUT = 30.0
_END_TIMEOUT = 3.0


class GuardianProcess:
    """A guardian in a separate process.

    Attributes:
        child: The process.
        watching: Whether it watches this controller.
    """

    def __init__(self, spec: str, config: Config) -> None:
        """Start the process; it prepares the backend's own stop and waits for a ring.

        Args:
            spec: Which robot.
            config: The configuration, settled.
        """
        # what it says is for the person who started the controller
        self.watching = False
        self.child = Child("guardian", start_new_session=True, stderr=None)
        backend = {"robot": spec, "config": json.loads(config.model_dump_json(round_trip=True))}
        self.child.send(backend if has_stopper(spec) else {})

    def attach(self, memory: Path, robot: Robot, cpu: int | None) -> None:
        """Give it a ring that is not yet sealed, and wait until it watches.

        Args:
            memory: Where the ring's memory is.
            robot: The robot that is to be guarded.
            cpu: The CPU that the controller stays on, which the guardian leaves alone.

        Raises:
            PliantError: It cannot watch; the message says why.
        """
        limit = silence_limit(robot.simulated, robot.dt)
        self.child.send(
            {
                "memory": str(memory),
                "pid": os.getpid(),
                "limit": limit,
                "simulated": robot.simulated,
                "cpu": cpu,
            }
        )
        self.child.wait_ready(_READY_TIMEOUT)
        self.watching = True

    def finish(self) -> None:
        """Wait for its end, which comes with the release of the arm."""
        self.child.finish(_END_TIMEOUT)
