"""What an attack of the hostile suite is: cases that can be repeated, and what they count."""

import importlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

SEED = 16
"""The seed unless another is given."""


class Finding(Exception):
    """Something that must not happen; the message says what, in one line."""


@dataclass(frozen=True)
class Tally:
    """What became of the inputs of a case: both numbers together are its count."""

    accepted: int = 0
    refused: int = 0


class Attack(Protocol):
    """One kind of hostile input. It is made once in a process, and then runs case after case."""

    def run(self, dice: random.Random, count: int) -> Tally:
        """Run a case that depends on the dice alone.

        Args:
            dice: The random numbers of the case.
            count: How many inputs it has.

        Raises:
            Finding: Something happened that must not. Any other exception is a finding as well.
        """
        ...

    def close(self) -> None:
        """Release what it holds."""
        ...


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of attack, as registered.

    Attributes:
        name: Its name on the command line.
        attack: Module and class, as `lines:Lines`; the class takes a folder for its files.
        unit: What is counted.
        full: How many of them a full run has.
        batch: How many a case has.
        short: How many cases are run in the normal tests; 0 if others test the same there.
        patience: After so many seconds without an end a case counts as hung.
        alone: Whether it measures time, and runs when nothing else does.
        most_memory: Memory by which a case may exceed what the process had before, MB.
        most_growth: Memory by which the process may grow over a run, MB.
    """

    name: str
    attack: str
    unit: str
    full: int
    batch: int
    short: int
    patience: float = 120.0
    alone: bool = False
    most_memory: float = 512.0
    most_growth: float = 32.0

    def cases(self, share: float) -> int:
        """The number of cases of a share of the full run; at least one."""
        return max(1, round(self.full * share / self.batch))

    def make(self, folder: Path) -> Attack:
        """Make the attack, with a folder for its files."""
        module, _, name = self.attack.partition(":")
        return getattr(importlib.import_module(f"{__package__}.{module}"), name)(folder)


def each(count: int, use: Callable[[], bool]) -> Tally:
    """Use a number of inputs, each whatever became of the others.

    Args:
        count: How many.
        use: Uses one; whether it was accepted.

    Raises:
        ExceptionGroup: What the inputs raised that failed.
    """
    accepted, errors = 0, []
    for _ in range(count):
        try:
            accepted += use()
        except Exception as error:
            errors.append(error)
    if errors:
        raise ExceptionGroup("inputs of the case failed", errors)
    return Tally(accepted, count - accepted)


def dice_of(kind: str, seed: int, case: int) -> random.Random:
    """The random numbers of a case."""
    return random.Random(f"{seed} {kind} {case}")
