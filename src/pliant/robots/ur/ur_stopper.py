"""What the guardian stops a UR with, on connections of its own."""

import socket

from pliant.robots.base import Stopper
from pliant.robots.ur.dashboard_client import DashboardClient
from pliant.robots.ur.rtde_client import ArmLost

_SCRIPT_PORT = 30002
_TIMEOUT = 2.0
_STOP_PROGRAM = b"def pliant_stop():\n  stopj(10.0)\nend\n"


class UrStopper(Stopper):
    """Ends the program by the dashboard, then brakes by a program of its own."""

    def __init__(self, host: str) -> None:
        """Connect.

        Raises:
            ArmLost: The arm does not answer.
        """
        self._dashboard = DashboardClient(host)
        try:
            self._script = socket.create_connection((host, _SCRIPT_PORT), _TIMEOUT)
        except OSError as error:
            raise ArmLost(f"no script port at {host}, port {_SCRIPT_PORT}: {error}") from None

    def stop(self) -> None:
        """Send both, and wait for nothing."""
        try:
            self._dashboard.send("stop")
        finally:
            self._script.sendall(_STOP_PROGRAM)
