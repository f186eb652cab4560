"""Publishes to several publishers."""

from pliant.loop.publisher import Watcher
from pliant.tick import Rows


class FanOut:
    """Passes ticks and lines on to several publishers."""

    def __init__(self, *publishers: Watcher) -> None:
        self._publishers = publishers

    def publish(self, tick: Rows) -> None:
        """Pass on a tick."""
        for publisher in self._publishers:
            publisher.publish(tick)

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Pass on a line."""
        for publisher in self._publishers:
            publisher.write_line(kind, tick, text)

    def close(self) -> None:
        """Close all of them."""
        for publisher in self._publishers:
            publisher.close()
