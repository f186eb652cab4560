"""How well a client keeps up: the commands of the last 100 periods."""

from collections import deque

MOST_LOST = 20
"""Number of periods in a row without a command after which a motion ends."""

_WINDOW = 100


class CommandWatch:
    """Counts commands that came in time.

    Attributes:
        lost: Number of periods in a row without one.
    """

    def __init__(self) -> None:
        self.lost = 0
        self._came = deque([True] * _WINDOW, maxlen=_WINDOW)
        self._count = _WINDOW

    @property
    def success_rate(self) -> float:
        """Share of the last commands that came in time."""
        return self._count / _WINDOW

    def note(self, came: bool) -> None:
        """Note whether the command of a period came in time."""
        self.lost = 0 if came else self.lost + 1
        self._count += came - self._came[0]
        self._came.append(came)
