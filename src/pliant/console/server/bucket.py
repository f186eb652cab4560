"""A bound on how often something may happen."""

import time


class Bucket:
    """Tokens that refill with time; what finds none is too much."""

    def __init__(self, rate: float, burst: float) -> None:
        """Begin full.

        Args:
            rate: Tokens a second.
            burst: Most tokens saved up.
        """
        self._rate = rate
        self._burst = burst
        self._level = burst
        self._filled = time.monotonic()

    def take(self) -> bool:
        """Take a token; False if there is none."""
        now = time.monotonic()
        self._level = min(self._burst, self._level + self._rate * (now - self._filled))
        self._filled = now
        if self._level < 1.0:
            return False
        self._level -= 1.0
        return True
