"""Named postures and timed sequences of joint positions, from YAML, run by the client.

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
from collections.abc import Generator, Iterator
from math import inf, pi
from pathlib import Path
from typing import Any, Literal

import numpy as np
import yaml
from pydantic import Field, ValidationError, model_validator

from pliant.api.arm import Arm
from pliant.config import explain
from pliant.errors import ArmStopped, ConfigError, PliantError, Refused, UnknownNameError
from pliant.numerics.spatial import Array
from pliant.params import Params, Positive, param

_UNITS = {"rad": 1.0, "deg": pi / 180.0}


class Step(Params):
    """One row of a sequence."""

    posture: str = param(..., "", "Where the joints go.")
    speed: Positive | None = param(None, "unit/s", "Mean speed; null is as it is set.")
    duration: Positive | None = param(
        None, "s", "How long it takes; when timed, when the next step begins."
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> "Step":
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
        """The steps of a sequence.

        Raises:
            UnknownNameError: There is no such sequence.
        """
        if name not in self.sequences:
            raise UnknownNameError("sequence", name, list(self.sequences))
        return self.sequences[name]


def load_postures(file: str | Path) -> PostureBook:
    """Read a file of postures.

    Raises:
        ConfigError: It cannot be read, or a value in it cannot work.
    """
    try:
        values: Any = yaml.safe_load(Path(file).read_text())
        return PostureBook.model_validate(values or {})
    except (OSError, UnicodeError, yaml.YAMLError) as error:
        raise ConfigError(f"cannot read the postures {file}: {error}") from None
    except ValidationError as error:
        raise ConfigError(explain(error)) from None


def play(
    arm: Arm, book: PostureBook, name: str, *, timed: bool = False, cycles: float = 1
) -> Generator[int, None, None]:
    """Run a sequence; yields the number of the step under way, tick by tick.

    Whoever leaves the loop stops the joints:

        for step in play(arm, book, "wave", cycles=inf):
            if enough():
                break

    Args:
        arm: The arm, without a law.
        book: Postures and sequences.
        name: The sequence.
        timed: Begin each step when the duration of the one before is over, whether it has been
            reached or not; else when it has been reached.
        cycles: How often; infinite is until the loop is left.

    Raises:
        UnknownNameError: There is no such sequence.
        Refused: A step cannot be done, or has no duration though it should be timed.
        ArmStopped: A joint was taken out.
    """
    steps = book.steps(name)
    if timed and any(step.duration is None for step in steps):
        raise Refused(f"to be timed, every step of {name} needs a duration")
    if not steps or not cycles >= 1:
        raise Refused(f"nothing to do: {len(steps)} steps, {cycles:g} times")
    arm.joints.set_modes("position")
    arm.wait(arm.dt)
    done = 0
    try:
        while done < cycles:
            for number, step in enumerate(steps):
                _set_out(arm, book, step)
                for _ in _under_way(arm, step.duration if timed else None):
                    yield number
            done += 1
    finally:
        # an arm that stopped by itself has nothing left to stop
        with contextlib.suppress(PliantError):
            arm.joints.stop()


def go_to(arm: Arm, book: PostureBook, posture: str, speed: float | None = None) -> None:
    """Go to a posture, at a mean speed in the book's unit, and wait until it is reached."""
    arm.joints.set_modes("position")
    arm.wait(arm.dt)
    _set_out(arm, book, Step(posture=posture, speed=speed))
    arm.joints.wait_done(timeout=inf)


def _set_out(arm: Arm, book: PostureBook, step: Step) -> None:
    q = book.positions(step.posture)
    if step.speed is not None:
        arm.joints.set_speeds(step.speed * _UNITS[book.unit])
    if step.duration is not None:
        away = np.abs(q - arm.tick.q_board)
        # a joint that is there already still needs a speed to be sent anywhere
        arm.joints.set_speeds(np.maximum(away / step.duration, 1e-3))
    arm.joints.position_move(q)


def _under_way(arm: Arm, duration: float | None) -> Iterator[None]:
    """Let time pass until a step is over: by its duration, or by what the joints say."""
    for tick in arm.ticks(inf if duration is None else duration):
        yield
        if np.any(tick.fault):
            raise ArmStopped(arm.joints.why())
        if duration is None and np.all(tick.joint_done):
            return
