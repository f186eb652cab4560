"""Makes a stopped UR follow again, when asked, in a thread of its own.

It talks to the dashboard only; the control program is uploaded again by the loop's thread.
"""

import threading
import time
from collections.abc import Callable

from pliant.arms.robot_status import UrStatus
from pliant.errors import PliantError
from pliant.robots.ur.dashboard_client import DashboardClient

_UNLOCK_TRIES = 14
_PAUSE = 0.5
"""Time between two looks, s; an arm refuses to unlock in the first 5 s after a protective stop."""


class UrRecovery:
    """Brings an arm from a stop to where a program can run."""

    def __init__(self, host: str, obstacle: Callable[[], UrStatus]) -> None:
        """Make it.

        Args:
            host: The arm's address.
            obstacle: Why no program could run now; called from the thread.
        """
        self._host = host
        self._obstacle = obstacle
        self._thread: threading.Thread | None = None
        self.error = ""

    @property
    def busy(self) -> bool:
        """Whether it is at work."""
        return self._thread is not None and self._thread.is_alive()

    def begin(self) -> None:
        """Begin, unless it is at work."""
        if not self.busy:
            self.error = ""
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()

    def _run(self) -> None:
        try:
            dashboard = DashboardClient(self._host)
            try:
                for _ in range(_UNLOCK_TRIES):
                    if not self._help(dashboard, self._obstacle()):
                        return
                    time.sleep(_PAUSE)
            finally:
                dashboard.close()
        except PliantError as error:
            self.error = str(error)

    def _help(self, dashboard: DashboardClient, obstacle: UrStatus) -> bool:
        """Do what helps against an obstacle; False if nothing does, or there is none."""
        if obstacle is UrStatus.PROTECTIVE_STOP:
            dashboard.ask("close safety popup")
            dashboard.ask("unlock protective stop")
        elif obstacle is UrStatus.POWER_OFF:
            dashboard.ask("power on")
        elif obstacle is UrStatus.NOT_READY:
            dashboard.ask("brake release")
        else:
            return False
        return True
