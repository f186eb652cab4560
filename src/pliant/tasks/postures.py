"""Named postures and sequences of joint positions in a YAML file, and running them.

unit: deg                   # of positions and speeds; rad if left out
postures:
  home: [0, -95, 107, -103, -90, -90]
  left: [60, -95, 107, -103, -90, -90]
sequences:
  wave:
    - {posture: left, speed: 20}
    - {posture: home, duration: 2.0}
"""

import contextlib
from collections.abc import Generator, Iterator, Sequence
from math import pi
from pathlib import Path
from typing import Any, Literal

import numpy as np
import yaml
from pydantic import Field, ValidationError, model_validator

from pliant.api.arm import Arm
from pliant.config import explain
from pliant.errors import ConfigError, PliantError, UnknownNameError
from pliant.numerics.spatial import Array
from pliant.params import Params, Positive, param
from pliant.safe_yaml import load_yaml
from pliant.tasks.joint_sequence import SequenceRun, SequenceStep, Wait, run_sequence

_UNITS = {"rad": 1.0, "deg": pi / 180.0}


class Step(Params):
    """One row of a sequence."""

    posture: str = param(..., "", "Where the joints go.")
    speed: Positive | None = param(None, "unit/s", "Mean speed; null keeps the speed that is set.")
    duration: Positive | None = param(
        None, "s", "How long the motion takes; when timed, the next step begins after it."
    )

    @model_validator(mode="after")
    def _not_both(self) -> "Step":
        if self.speed is not None and self.duration is not None:
            raise ValueError("give a speed or a duration, not both")
        return self


class PostureBook(Params):
    """The postures and sequences of a file."""

    unit: Literal["rad", "deg"] = param("rad", "", "Unit of positions and speeds.")
    postures: dict[str, tuple[float, ...]] = Field(default_factory=dict)
    sequences: dict[str, tuple[Step, ...]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _known(self) -> "PostureBook":
        for name, steps in self.sequences.items():
            for step in steps:
                if step.posture not in self.postures:
                    known = ", ".join(self.postures) or "none"
                    raise ValueError(f"{name}: no posture {step.posture!r}; valid: {known}")
        return self

    def positions(self, name: str) -> Array:
        """The joint positions of a posture, rad.

        Raises:
            UnknownNameError: There is no such posture.
        """
        if name not in self.postures:
            raise UnknownNameError("posture", name, list(self.postures))
        return np.array(self.postures[name]) * _UNITS[self.unit]

    def steps(self, name: str) -> tuple[Step, ...]:
        """The steps of a sequence, as in the file.

        Raises:
            UnknownNameError: There is no such sequence.
        """
        if name not in self.sequences:
            raise UnknownNameError("sequence", name, list(self.sequences))
        return self.sequences[name]

    def sequence(self, name: str) -> tuple[SequenceStep, ...]:
        """The steps of a sequence, ready to run.

        Raises:
            UnknownNameError: There is no such sequence.
        """
        return tuple(self._resolved(step) for step in self.steps(name))

    def to_yaml(self) -> str:
        """The text of a file with these postures and sequences."""
        values = self.model_dump(mode="json", exclude_none=True)
        return yaml.safe_dump(values, sort_keys=False, default_flow_style=None, width=100)

    def _resolved(self, step: Step) -> SequenceStep:
        return SequenceStep(
            positions=tuple(self.positions(step.posture).tolist()),
            speed=None if step.speed is None else step.speed * _UNITS[self.unit],
            duration=step.duration,
        )


def load_postures(file: str | Path) -> PostureBook:
    """Read a file of postures.

    Raises:
        ConfigError: The file cannot be read, or a value in it is wrong.
    """
    try:
        text = Path(file).read_text()
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"cannot read the postures {file}: {error}") from None
    return parse_postures(text, str(file))


def parse_postures(text: str, source: str) -> PostureBook:
    """The postures and sequences in the text of a file.

    Args:
        text: YAML.
        source: Name of the file, for error messages.

    Raises:
        ConfigError: It is not YAML, or a value in it is wrong.
    """
    try:
        values: Any = load_yaml(text, f"the postures {source}")
        return PostureBook.model_validate(values or {})
    except ValidationError as error:
        raise ConfigError(explain(error)) from None


def book_of_steps(steps: Sequence[SequenceStep], name: str = "sequence") -> PostureBook:
    """A book in degrees with one sequence; its postures are numbered."""
    postures = {
        f"posture {number}": tuple(round(_degrees(q), 4) for q in step.positions)
        for number, step in enumerate(steps, 1)
    }
    rows = tuple(
        Step(
            posture=posture,
            speed=None if step.speed is None else float(f"{_degrees(step.speed):.6g}"),
            duration=step.duration,
        )
        for posture, step in zip(postures, steps, strict=True)
    )
    return PostureBook(unit="deg", postures=postures, sequences={name: rows})


def play(
    arm: Arm, book: PostureBook, name: str, *, timed: bool = False, cycles: float = 1
) -> Generator[int, None, None]:
    """Run a sequence; yields the number of the step under way, tick by tick.

    Leaving the loop stops the joints:

        for step in play(arm, book, "wave", cycles=inf):
            if enough():
                break

    Args:
        arm: The arm, without a law.
        book: Postures and sequences.
        name: The sequence.
        timed: Begin each step when the duration of the previous one is over, whether the joints
            have arrived or not; otherwise begin it when they have arrived.
        cycles: How often; infinite runs until the loop is left.

    Raises:
        UnknownNameError: There is no such sequence.
        Refused: A step cannot be done, or has no duration although the run is timed.
        ArmStopped: A joint has a fault.
    """
    run = run_sequence(book.sequence(name), timed=timed, cycles=cycles)
    try:
        yield from _drive(arm, run)
    finally:
        # an arm that stopped by itself has nothing left to stop
        with contextlib.suppress(PliantError):
            arm.joints.stop()


def go_to(arm: Arm, book: PostureBook, posture: str, speed: float | None = None) -> None:
    """Go to a posture, at a mean speed in the book's unit, and wait until it is reached."""
    step = SequenceStep(
        positions=tuple(book.positions(posture).tolist()),
        speed=None if speed is None else speed * _UNITS[book.unit],
    )
    for _ in _drive(arm, run_sequence([step])):
        pass


def _drive(arm: Arm, run: SequenceRun) -> Iterator[int]:
    """Send the commands of a run to an arm, and advance time where the run waits."""
    ticks = arm.ticks()
    with contextlib.closing(run):
        instruction = next(run)
        while True:
            if isinstance(instruction, Wait):
                row = np.asarray(next(ticks)).reshape(1)
                if instruction.step is not None:
                    yield instruction.step
            else:
                arm.session.take(instruction)
                row = arm.session.row
            try:
                instruction = run.send(row)
            except StopIteration:
                return


def _degrees(radians: float) -> float:
    return radians / _UNITS["deg"]
