"""A Franka arm under a controller process in real time, and what becomes of it when that dies."""

import signal
import time

import numpy as np
import pytest

from pliant import Arm
from pliant.errors import PliantError
from pliant.virtual.franka.command_watch import MOST_LOST
from pliant.virtual.franka.desired_motion import PERIOD
from tests.robots.sliding_controller import (
    FRANKA,
    FRANKA_REAL,
    Slider,
    sliding_controller,
)
from tests.virtual_arms import is_busy

from .franka_loops import HAND, franky

pytestmark = pytest.mark.alone

ATTEMPTS = 10

MOST_FORCE = 15.0
"""Largest contact force of a run, N; 5 N are asked for."""

LONGEST = 0.25
"""From the end of torque control to rest, s."""


def moves(spec: str) -> None:
    """Hold, then move under two laws."""
    with Arm(spec, clock="real", config={"tool": HAND}) as arm:
        q = arm.tick.q
        arm.activate("gravity")
        arm.wait(0.5)
        assert np.abs(arm.tick.q - q).max() < 0.02
        for law in ("cartesian_impedance", "inverse_dynamics"):
            arm.activate(law)
            if law == "cartesian_impedance":
                z = arm.tick.X_WT[2]
                arm.move_by([0, 0, 0.03, 0, 0, 0])
                assert arm.tick.X_WT[2] - z == pytest.approx(0.03, abs=0.01)
            else:
                arm.home(arm.tick.q + 0.05, time=1.0)
            assert not arm.reason


def test_franky_sim_holds_and_moves_in_real_time() -> None:
    for _ in range(ATTEMPTS):
        with franky("--paced") as server:
            try:
                return moves(f"franka:{server.host}")
            except PliantError as error:
                if not is_busy(str(error)):
                    raise
    raise AssertionError("this machine is too busy for a real arm")


def braked(control, folder, kind: Slider, number: signal.Signals) -> float:
    """End a controller whose arm slides; the time from its last command to the reflex, s."""
    with sliding_controller(control, folder, kind) as (arm, process):
        process.popen.send_signal(number)
        status, _, said = process.end()
        while arm.truth()["mode"] == "move":
            time.sleep(0.01)
        ended = arm.truth()["ended_at"]
        while (truth := arm.truth())["time"] < ended + 0.5:
            time.sleep(0.01)
    lapse, rest = truth["ended_at"] - truth["command_at"], truth["moved_at"] - truth["ended_at"]
    print(f"peak {truth['peak']:.1f} N, reflex after {lapse:.3f} s, rest after {rest:.3f} s more")
    assert status == -signal.SIGKILL
    # the guardian has no connection of its own; on a busy machine it may have ended it first
    assert "died without a last word" in said or "the guardian ended the controller" in said
    assert truth["reflexes"] == {"communication_constraints_violation": 1}
    assert rest < LONGEST
    assert truth["peak"] < MOST_FORCE
    return lapse


def test_a_killed_controller_leaves_an_arm_that_brakes(control, folder) -> None:
    assert braked(control, folder, FRANKA, signal.SIGKILL) < MOST_LOST * PERIOD


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_controller_that_ends_or_hangs_in_real_time(control, folder, number) -> None:
    # the arm waits for so many periods at most, and notices one that is ended sooner
    assert braked(control, folder, FRANKA_REAL, number) <= (MOST_LOST + 1) * PERIOD
