"""How soon a client answers the package of a period with a command."""

import time
from collections import deque

import numpy as np

_MOST = 20_000
"""How many of the last answers count."""


class AnswerTimes:
    """Times from sending a package to the first input that comes after it."""

    def __init__(self) -> None:
        self._sent: float | None = None
        self._times: deque[float] = deque(maxlen=_MOST)

    def sent(self) -> None:
        """The packages of this period leave now."""
        self._sent = time.monotonic()

    def answered(self) -> None:
        """An input has come."""
        if self._sent is not None:
            self._times.append(time.monotonic() - self._sent)
            self._sent = None

    def take(self) -> dict[str, float]:
        """Median and 99th percentile since they were last taken, s; NaN if there were none."""
        times = list(self._times) or [np.nan]
        self._times.clear()
        p50, p99 = np.percentile(times, (50.0, 99.0))
        return {"answer_p50": float(p50), "answer_p99": float(p99)}
