"""The run of a sequence by itself: commands and waits, against rows made up here."""

import numpy as np
import pytest

from pliant import commands as c
from pliant.errors import ArmStopped, Refused
from pliant.reasons import State
from pliant.stages.joints import JointFault
from pliant.tasks.joint_sequence import SequenceStep, Wait, run_sequence
from pliant.tick import Rows, new_rows

DT = 0.002
HERE, THERE = (0.0, 0.0), (0.4, -0.2)


def row_at(k: int, moves: int = 0, done: int = 1) -> Rows:
    """A row of an arm with two joints after a number of moves."""
    row = new_rows(2)
    row["k"], row["time"], row["dt"] = k, k * DT, DT
    row["q_goal_seq"], row["joint_done"] = moves, done
    return row


def test_a_step_waits_until_the_arm_has_taken_its_command_over() -> None:
    run = run_sequence([SequenceStep(positions=THERE, speed=0.5), SequenceStep(positions=HERE)])
    assert next(run) == c.SetMode(joints="all", modes=("position",))
    assert run.send(row_at(0)) == Wait(step=None)
    assert run.send(row_at(1)) == c.SetJointSpeed(joints="all", values=(0.5,))
    assert run.send(row_at(1)) == c.PositionMove(joints="all", values=THERE)
    # at rest, but only because the command has not acted yet
    assert run.send(row_at(1)) == Wait(step=0)
    assert run.send(row_at(2)) == Wait(step=0)
    assert run.send(row_at(3, moves=1, done=0)) == Wait(step=0)
    # without a speed or a duration the speeds stay as they are
    assert run.send(row_at(9, moves=1)) == c.PositionMove(joints="all", values=HERE)
    assert run.send(row_at(9, moves=1)) == Wait(step=1)
    with pytest.raises(StopIteration):
        run.send(row_at(20, moves=2))


def test_a_timed_step_lasts_its_duration_by_the_time_of_the_arm() -> None:
    run = run_sequence([SequenceStep(positions=THERE, duration=0.1)], timed=True, cycles=np.inf)
    next(run)
    run.send(row_at(0))
    speeds = run.send(row_at(1))
    assert isinstance(speeds, c.SetJointSpeed)
    assert speeds.values == pytest.approx((4.0, 2.0))
    assert isinstance(run.send(row_at(1)), c.PositionMove)
    run.send(row_at(1))
    for k in range(2, 51):
        assert run.send(row_at(k, moves=1)) == Wait(step=0), k
    # the command acted from row 2 on, so the step ends with row 51, in motion or not
    assert isinstance(run.send(row_at(51, moves=1, done=0)), c.SetJointSpeed)


def test_a_joint_that_is_there_gets_a_speed_all_the_same() -> None:
    run = run_sequence([SequenceStep(positions=(0.4, 0.0), duration=1.0)])
    next(run)
    run.send(row_at(0))
    speeds = run.send(row_at(1))
    assert isinstance(speeds, c.SetJointSpeed)
    assert speeds.values == pytest.approx((0.4, 1e-3))


def test_a_fault_ends_the_run() -> None:
    for column, value, why in (
        ("fault", JointFault.OVER_TEMPERATURE, "joint 0 too hot"),
        ("state", State.FAULT, "the arm stopped"),
    ):
        run = run_sequence([SequenceStep(positions=THERE)])
        next(run)
        run.send(row_at(0))
        run.send(row_at(1))
        run.send(row_at(1))
        bad = row_at(2, moves=1)
        bad[column] = value
        with pytest.raises(ArmStopped, match=why):
            run.send(bad)


def test_a_run_that_cannot_work_is_refused() -> None:
    with pytest.raises(Refused, match="every step needs a duration"):
        run_sequence([SequenceStep(positions=THERE)], timed=True)
    with pytest.raises(Refused, match="nothing to do: 0 steps"):
        run_sequence([])
    with pytest.raises(ValueError, match="a speed or a duration, not both"):
        SequenceStep(positions=THERE, speed=1.0, duration=1.0)
    run = run_sequence([SequenceStep(positions=(1.0,))])
    next(run)
    run.send(row_at(0))
    with pytest.raises(Refused, match="2 joints need as many values, not 1"):
        run.send(row_at(1))
