"""A line that says how far something is: one that changes on a terminal, a new one elsewhere."""

import sys
import time

_EVERY = 3.0
"""How often a new line is printed where lines cannot change, s."""


class ProgressLine:
    """Prints to standard error, where nothing else need be printed meanwhile."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._told = -_EVERY

    def say(self, text: str) -> None:
        """Say how far it is; as often as you like."""
        now = time.monotonic()
        if self._live:
            self._print(f"\r\x1b[K{text}")
        elif now - self._told >= _EVERY:
            self._told = now
            self._print(f"{text}\n")

    def finish(self, text: str) -> None:
        """Say what has come of it."""
        self._print(f"\r\x1b[K{text}\n" if self._live else f"{text}\n")

    def _print(self, text: str) -> None:
        print(text, end="", file=sys.stderr, flush=True)
