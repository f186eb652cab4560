"""A program that reads a ring: `python -m pliant.bench.reader_process <path>`.

It prints `ready` when it is attached, and the number of missed ticks when the ring has ended.
"""

import sys
import time
from pathlib import Path

from pliant.ring.ring import RingReader

_PERIOD = 0.001


def follow(path: Path) -> int:
    """Read every tick until the ring ends; return how many were missed."""
    ring = RingReader(path)
    print("ready", flush=True)
    while not ring.ended:
        for _ in ring.ticks():
            pass
        time.sleep(_PERIOD)
    return ring.missed


if __name__ == "__main__":
    print(follow(Path(sys.argv[1])))
