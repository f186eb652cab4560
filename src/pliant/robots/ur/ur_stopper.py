"""What the guardian stops a UR with, on connections of its own."""

import socket

from pliant.robots.arm_lost import ArmLost
from pliant.robots.base import Stopper
from pliant.robots.ur.dashboard_client import DashboardClient, is_open

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
        self._host = host
        self._dashboard = DashboardClient(host)
        self._script = _connect(host)

    def stop(self) -> None:
        """Send both, and wait for nothing, except to connect again where the arm has hung up.

        Raises:
            ArmLost: The arm cannot be reached.
        """
        try:
            if not self._dashboard.is_open:
                self._dashboard.close()
                self._dashboard = DashboardClient(self._host)
            self._dashboard.send("stop")
        finally:
            if not is_open(self._script):
                self._script.close()
                self._script = _connect(self._host)
            self._script.sendall(_STOP_PROGRAM)


def _connect(host: str) -> socket.socket:
    try:
        return socket.create_connection((host, _SCRIPT_PORT), _TIMEOUT)
    except OSError as error:
        raise ArmLost(f"no script port at {host}, port {_SCRIPT_PORT}: {error}") from None
