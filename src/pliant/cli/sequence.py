"""Run a sequence of joint positions."""

import contextlib
import sys
from math import inf
from pathlib import Path
from typing import Annotated

import tyro

from pliant.api.arm import Arm
from pliant.errors import UnknownNameError
from pliant.tasks.postures import PostureBook, go_to, load_postures, play


def sequence(
    file: Annotated[Path, tyro.conf.Positional],
    name: Annotated[str, tyro.conf.Positional],
    robot: str = "attach",
    timed: bool = False,
    cycles: int = 1,
    forever: bool = False,
) -> None:
    """Move the joints through a sequence, or to a posture, of a YAML file; Ctrl-C stops them.

    Args:
        file: Postures and sequences; see docs/joints.md.
        name: Name of the sequence or the posture.
        robot: The arm: attach for the running controller, attach:NAME for one of several, or a
            simulated arm such as sim:ur5e.
        timed: Begin each step when the duration of the previous one is over.
        cycles: How often to run the sequence.
        forever: Run the sequence until Ctrl-C.
    """
    book = load_postures(file)
    if name not in {*book.sequences, *book.postures}:
        raise UnknownNameError("sequence or posture", name, [*book.sequences, *book.postures])
    with Arm(robot) as arm:
        if name in book.sequences:
            _play(arm, book, name, timed, inf if forever else cycles)
        else:
            go_to(arm, book, name)
    print(f"{name}: done")


def _play(arm: Arm, book: PostureBook, name: str, timed: bool, cycles: float) -> None:
    steps = book.steps(name)
    before = -1
    with contextlib.closing(play(arm, book, name, timed=timed, cycles=cycles)) as playing:
        for number in playing:
            if number != before:
                before = number
                line = f"step {number + 1} of {len(steps)}: {steps[number].posture}"
                print(line, file=sys.stderr, flush=True)


VERB = sequence
