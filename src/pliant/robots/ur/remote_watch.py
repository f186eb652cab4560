"""Watches whether a UR is in remote control, in a thread of its own.

RTDE does not tell. It matters while the arm moves: in local control the dashboard and the script
ports refuse to stop it, so that the guardian would ask in vain.
"""

import threading

from pliant.errors import PliantError
from pliant.robots.ur.dashboard_client import DashboardClient

_PAUSE = 0.5
"""Time between two questions, s."""


class RemoteWatch:
    """Asks the dashboard again and again.

    Attributes:
        remote: Whether the arm was in remote control when it was last asked; a dashboard that does
            not answer cannot stop the arm either.
    """

    def __init__(self, host: str) -> None:
        """Begin.

        Args:
            host: The arm's address.
        """
        self.remote = True
        self._host = host
        self._ended = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        """End, without waiting for a question that is under way."""
        self._ended.set()

    def _run(self) -> None:
        dashboard: DashboardClient | None = None
        while not self._ended.is_set():
            try:
                # some controllers hang up when the mode changes
                dashboard = dashboard or DashboardClient(self._host)
                self.remote = dashboard.ask("is in remote control") == "true"
            except PliantError:
                self.remote = False
                if dashboard is not None:
                    dashboard.close()
                dashboard = None
            self._ended.wait(_PAUSE)
        if dashboard is not None:
            dashboard.close()
