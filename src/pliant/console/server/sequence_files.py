"""The files of sequences that a page opens and saves."""

from collections.abc import Sequence

from pydantic import BaseModel

from pliant.errors import ConfigError
from pliant.tasks.joint_sequence import SequenceStep
from pliant.tasks.postures import book_of_steps, parse_postures


class SequenceFile(BaseModel):
    """The first sequence of a file."""

    name: str
    steps: list[SequenceStep]


def read_sequence(text: str, n: int) -> SequenceFile:
    """The first sequence in the text of a file.

    Args:
        text: YAML, as `pliant.tasks.postures` describes it.
        n: Number of joints of the arm.

    Raises:
        ConfigError: The file is wrong, has no sequence, or is for an arm with other joints.
    """
    book = parse_postures(text, "of this file")
    if not book.sequences:
        raise ConfigError("there is no sequence in this file")
    name = next(iter(book.sequences))
    if not book.sequences[name]:
        raise ConfigError(f"{name} has no steps")
    for row in book.sequences[name]:
        if len(book.postures[row.posture]) != n:
            raise ConfigError(f"{name}: posture {row.posture} needs {n} numbers")
    return SequenceFile(name=name, steps=list(book.sequence(name)))


def write_sequence(steps: Sequence[SequenceStep]) -> str:
    """The text of a file with one sequence, in degrees."""
    return book_of_steps(steps).to_yaml()
