"""The page of a ring that a guardian maps: the writer's counters, and a place for its last word.

Needs the standard library alone. The guardian maps the page before the ring is sealed, and so is
the only process but the writer that can write to it.
"""

import mmap
import os
from pathlib import Path

from pliant.ring.ring_layout import (
    COUNTER_NAMES,
    GUARDIAN_AT,
    HEADER_SIZE,
    LONGEST_WORD,
    PAGE,
    GuardianWords,
)

_TICKS, _RELEASE, _STAMP = (COUNTER_NAMES.index(name) for name in ("ticks", "release", "stamp"))
_PID, _SIZE = (GUARDIAN_AT // 8 + i for i in range(2))
_TEXT_AT = GUARDIAN_AT + 8 * len(GuardianWords.__annotations__)


class GuardianPage:
    """What a guardian sees of a ring, and where it writes."""

    def __init__(self, memory: Path) -> None:
        """Map the page and sign it.

        Args:
            memory: Where the ring's memory is, not yet sealed.

        Raises:
            OSError: It is not there, or is sealed already.
        """
        descriptor = os.open(memory, os.O_RDWR | os.O_CLOEXEC)
        try:
            self._page = mmap.mmap(descriptor, PAGE, offset=HEADER_SIZE)
        finally:
            os.close(descriptor)
        self._words = memoryview(self._page).cast("q")
        self._words[_PID] = os.getpid()

    @property
    def ticks(self) -> int:
        """How many ticks the writer has finished."""
        return self._words[_TICKS]

    @property
    def stamp(self) -> float:
        """When the last of them was finished, by the monotonic clock, s."""
        return 1e-9 * self._words[_STAMP]

    @property
    def release(self) -> int:
        """Whether the loop drives the arm: a value of `Counters.release`."""
        return self._words[_RELEASE]

    def write(self, text: str) -> None:
        """Write the last word, which readers see from now on."""
        data = text.encode()[:LONGEST_WORD]
        # the size last, so that nobody reads half of it
        self._words[_SIZE] = 0
        self._page[_TEXT_AT : _TEXT_AT + len(data)] = data
        self._words[_SIZE] = len(data)
