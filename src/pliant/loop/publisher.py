"""Publishers: where finished ticks go."""

from typing import Protocol

from pliant.tick import Rows


class Publisher(Protocol):
    """Takes finished ticks, and lines that belong to them."""

    def publish(self, tick: Rows, /) -> None:
        """Take a tick; it is overwritten two ticks later."""
        ...

    def write_line(self, kind: str, tick: int, text: str) -> None:
        """Take a line that belongs to a tick."""
        ...


class Watcher(Publisher, Protocol):
    """A publisher that can be closed."""

    def close(self) -> None:
        """Nothing more will come. Safe to call twice."""
        ...
