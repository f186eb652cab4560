"""The console on an arm that a program has in hand: a process beside it."""

import subprocess
import sys

from pliant.errors import PliantError

_ADDRESS = "Pliant console at "
_END_TIMEOUT = 10.0


class Shown:
    """A console that follows a controller, until it is closed.

    Attributes:
        address: What to open in a browser.
    """

    def __init__(self, name: str, *, port: int, browser: bool) -> None:
        """Start it.

        Args:
            name: The controller's name.
            port: Where it listens; 0 takes any port that is free.
            browser: Whether to open a browser.

        Raises:
            PliantError: It did not start.
        """
        command = [sys.executable, "-m", "pliant.cli", "console", "--attach", name]
        command += [f"--port={port}", *(["--open"] if browser else [])]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        )
        said = self._process.stdout.readline() if self._process.stdout else ""
        if not said.startswith(_ADDRESS):
            self.close()
            raise PliantError("the console did not start: it said why on standard error")
        self.address = said.removeprefix(_ADDRESS).strip()

    def close(self) -> None:
        """End it. Safe to call twice."""
        self._process.terminate()
        try:
            self._process.wait(_END_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
