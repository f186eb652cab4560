"""A token bucket: a limit on how often something may happen."""

import time


class TokenBucket:
    """Tokens that refill with time; each event takes one."""

    def __init__(self, rate: float, burst: float) -> None:
        """Make a full bucket.

        Args:
            rate: Tokens a second.
            burst: Largest number of tokens.
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
