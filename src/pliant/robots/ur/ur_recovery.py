"""Makes a stopped UR follow again, when asked.

It talks to the dashboard only; the control program is uploaded again by the loop's thread.
"""

import threading
import time
from collections.abc import Callable

from pliant.arms.robot_status import UrStatus
from pliant.errors import PliantError
from pliant.robots.ur.dashboard_client import DashboardClient

HELP = {
    UrStatus.PROTECTIVE_STOP: ("close safety popup", "unlock protective stop"),
    UrStatus.POWER_OFF: ("power on",),
    UrStatus.NOT_READY: ("brake release",),
}
"""What the dashboard can do about an obstacle; about others, only somebody at the arm."""

_TRIES = 60
_PAUSE = 0.5
"""Time between two looks, s; an arm refuses to unlock in the first 5 s after a protective stop."""


def make_ready(host: str, obstacle: Callable[[], UrStatus]) -> None:
    """Bring an arm to where a program can run, within 30 s.

    Args:
        host: The arm's address.
        obstacle: Why no program could run now.

    Raises:
        PliantError: Something still hinders it.
    """
    dashboard, answer = DashboardClient(host), ""
    try:
        for _ in range(_TRIES):
            status = obstacle()
            if status not in HELP:
                break
            for words in HELP[status]:
                answer = f"; the dashboard says: {dashboard.ask(words)}"
            time.sleep(_PAUSE)
    finally:
        dashboard.close()
    if (left := obstacle()) is not UrStatus.FOLLOWS:
        raise PliantError(f"{left.text}{answer}")


class UrRecovery:
    """Makes an arm ready in a thread of its own.

    Attributes:
        error: Why the last one failed; empty if it did not.
    """

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
            make_ready(self._host, self._obstacle)
        except PliantError as error:
            self.error = str(error)
