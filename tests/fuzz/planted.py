"""Planted faults: attacks that misbehave in a known way, to test that the suite notices."""

import os
import random
import signal
import sys
import time
from pathlib import Path

from .kind import Finding, Tally, each


class Planted:
    """Behaves, but for one case in three."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._cases = 0
        self.kept: list[object] = []

    def close(self) -> None:
        """Nothing to release."""

    def run(self, dice: random.Random, count: int) -> Tally:
        """Do something wrong in the second case of three."""
        self._cases += 1
        if self._cases % 3 == 2:
            self.misbehave(dice)
        return Tally(accepted=count)

    def misbehave(self, dice: random.Random) -> None:
        """Do what the class is about."""


class Fails(Planted):
    """Two of its inputs fail, and one is refused."""

    def run(self, dice: random.Random, count: int) -> Tally:
        """Fail at two inputs, after which the others are used."""
        made = iter(range(count))

        def use() -> bool:
            number = next(made)
            if number in (1, 3):
                raise Finding(f"input {number} is wrong: {dice.random()}")
            return number > 0

        return each(count, use)


class Crashes(Planted):
    """The process dies."""

    def misbehave(self, dice: random.Random) -> None:
        """Die as by a segmentation fault."""
        os.kill(os.getpid(), signal.SIGSEGV)


class Exits(Planted):
    """The process exits."""

    def misbehave(self, dice: random.Random) -> None:
        """Exit without a word."""
        os._exit(0)


class Hangs(Planted):
    """A case never ends."""

    def misbehave(self, dice: random.Random) -> None:
        """Wait for ever."""
        while True:
            time.sleep(1.0)


class Mutters(Planted):
    """A traceback appears on standard error, though nothing is raised."""

    def misbehave(self, dice: random.Random) -> None:
        """Write one."""
        print("Traceback (most recent call last):\nKeyError: 'x'", file=sys.stderr, flush=True)


class Swallows(Planted):
    """A case takes much memory for a moment."""

    def misbehave(self, dice: random.Random) -> None:
        """Take 100 MB."""
        bytearray(100 << 20)[::4096] = b"x" * (100 << 20 >> 12)


class Grows(Planted):
    """Memory is kept in every case."""

    def run(self, dice: random.Random, count: int) -> Tally:
        """Keep 4 MB."""
        self.kept.append(b"x" * (4 << 20))
        return Tally(accepted=count)


class Leaks(Planted):
    """A descriptor stays open in every case."""

    def run(self, dice: random.Random, count: int) -> Tally:
        """Open a file."""
        self.kept.append(os.open(os.devnull, os.O_RDONLY))
        return Tally(accepted=count)


class Broken(Planted):
    """It cannot even be made."""

    def __init__(self, folder: Path) -> None:
        raise RuntimeError("it cannot be made")
