"""The console on an arm that a program drives, in a process beside it."""

import subprocess

from pliant.errors import PliantError
from pliant.extras import require
from pliant.processes import Child

_START_TIMEOUT = 60.0
_END_TIMEOUT = 10.0


class ConsoleProcess:
    """A console that follows a controller until it is closed.

    Attributes:
        address: The address to open in a browser.
    """

    def __init__(self, name: str, *, port: int, browser: bool) -> None:
        """Start it.

        Args:
            name: The controller's name.
            port: Where it listens; 0 takes any free port.
            browser: Whether to open a browser.

        Raises:
            PliantError: It did not start.
            MissingExtra: The web server is not installed.
        """
        require("console")
        self._child = Child("console", stderr=None)
        self._child.send({"attach": name, "port": port, "open": browser})
        try:
            self.address: str = self._child.wait_ready(_START_TIMEOUT)["address"]
        except PliantError as error:
            self.close()
            raise PliantError(f"the console did not start: {error}") from None

    def close(self) -> None:
        """End it. Safe to call twice."""
        process = self._child.process
        process.terminate()
        try:
            process.wait(_END_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._child.kill()
        self._child.close()
