"""Running a sequence of joint positions: which command comes when, without an arm or a clock.

`run_sequence` is a generator. It yields a command to give, or `Wait`, and is sent the newest row of
the arm in return. `pliant.tasks.postures.play` drives it for a program, and the console's server
drives it for a viewer.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import Field, model_validator

from pliant import commands as c
from pliant.errors import ArmStopped, Refused
from pliant.params import Params, Positive, param
from pliant.reasons import State
from pliant.stages.joints.joint_modes import joint_faults
from pliant.stages.supervisor import read_text
from pliant.tick import IntArray, Rows

_LEAST_SPEED = 1e-3
"""A joint that is already at its position still needs a speed to accept the move, rad/s."""


class SequenceStep(Params):
    """One step of a sequence: the positions of all joints, and how fast to go there."""

    positions: tuple[float, ...] = Field(
        min_length=1, max_length=32, description="Joint positions, rad."
    )
    speed: Positive | None = param(
        None, "rad/s", "Mean speed of every joint, rad/s; null keeps the speeds that are set."
    )
    duration: Positive | None = param(
        None, "s", "How long the motion takes, s; when timed, the next step begins after it."
    )

    @model_validator(mode="after")
    def _not_both(self) -> "SequenceStep":
        if self.speed is not None and self.duration is not None:
            raise ValueError("give a speed or a duration, not both")
        return self


@dataclass(frozen=True, kw_only=True)
class Wait:
    """Wait for the next row.

    Attributes:
        step: Number of the step under way; None before the first one.
    """

    step: int | None


SequenceRun = Generator[c.Command | Wait, Rows, None]


def run_sequence(
    steps: Sequence[SequenceStep], *, timed: bool = False, cycles: float = 1
) -> SequenceRun:
    """Move all joints through the steps; yields commands and waits, and is sent the newest row.

    The caller stops the joints if it ends the run early.

    Args:
        steps: The steps.
        timed: Begin each step when the duration of the previous one is over, whether the joints
            have arrived or not; otherwise begin it when they have arrived.
        cycles: How often to run all steps; may be infinite.

    Raises:
        Refused: There are no steps, or one has no duration although the run is timed. Raised by the
            call itself.
        ArmStopped: A joint or the arm has a fault. Raised by the generator.
    """
    if timed and any(step.duration is None for step in steps):
        raise Refused("to be timed, every step needs a duration")
    if not steps or not cycles >= 1:
        raise Refused(f"nothing to do: {len(steps)} steps, {cycles:g} times")
    return _run(steps, timed, cycles)


def _run(steps: Sequence[SequenceStep], timed: bool, cycles: float) -> SequenceRun:
    yield c.SetMode(joints="all", modes=("position",))
    row = yield Wait(step=None)
    _check_joints(steps, row)
    done = 0
    while done < cycles:
        for number, step in enumerate(steps):
            goals = row["q_goal_seq"].copy()
            yield from _begin(step, row)
            row = yield from _wait(number, goals, step.duration if timed else None)
        done += 1


def _check_joints(steps: Sequence[SequenceStep], row: Rows) -> None:
    n = row["q"].shape[1]
    for step in steps:
        if len(step.positions) != n:
            raise Refused(f"{n} joints need as many values, not {len(step.positions)}")


def _check_faults(row: Rows) -> None:
    if np.any(row["fault"]):
        raise ArmStopped(joint_faults(row))
    if row["state"].item() == State.FAULT:
        raise ArmStopped(read_text(row))


def _begin(step: SequenceStep, row: Rows) -> SequenceRun:
    """Give the commands that begin a step, given where the joints are."""
    speeds = _speeds(step, row)
    if speeds is not None:
        yield c.SetJointSpeed(joints="all", values=speeds)
    yield c.PositionMove(joints="all", values=step.positions)


def _speeds(step: SequenceStep, row: Rows) -> tuple[float, ...] | None:
    """The speeds to set; with a duration, each joint gets the speed to arrive just in time."""
    if step.speed is not None:
        return (step.speed,)
    if step.duration is None:
        return None
    speeds = np.abs(np.array(step.positions) - row["q_board"][0]) / step.duration
    return tuple(np.maximum(speeds, _LEAST_SPEED).tolist())


def _wait(number: int, goals: IntArray, duration: float | None) -> Generator[Wait, Rows, Rows]:
    """Wait until a step is over: after its duration, or once the joints have arrived.

    Args:
        number: Number of the step.
        goals: `q_goal_seq` before the step's command; the command has taken effect once this
            counter has changed for every joint.
        duration: Duration of the step, s; None waits for the joints.

    Returns:
        The last row.
    """
    start: float | None = None
    while True:
        row = yield Wait(step=number)
        _check_faults(row)
        time, dt = row["time"].item(), row["dt"].item()
        if start is None and np.all(row["q_goal_seq"] != goals):
            start = time - dt
        if start is None:
            continue
        if duration is None and np.all(row["joint_done"]):
            return row
        if duration is not None and time - start > duration - 0.5 * dt:
            return row
