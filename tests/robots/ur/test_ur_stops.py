"""What stops a real arm, provoked while it slides along a table: the sentence and the way out.

The addresses are not 127.0.0.1, where ur_rtde would not ask for remote control.
"""

import socket
from dataclasses import dataclass

import numpy as np
import pytest

from pliant import commands as c
from pliant.arms.robot_status import UrStatus
from pliant.errors import Refused
from pliant.loop.loop import Loop
from pliant.reasons import Reason, State
from pliant.stages.supervisor import read_text
from tests.virtual_arms import VirtualArm

from .ur_loops import PATIENT, recovered, run, running, sliding, status, until

pytestmark = pytest.mark.alone

PRESSED = 5.0
MOST_FORCE = 10.0
"""Largest force on the table, N: that of pressing, its overshoot, and whatever the stop adds."""


@dataclass(frozen=True)
class Stop:
    """Something that stops the arm.

    Attributes:
        provoke: The line that provokes it.
        status: What the arm then says.
        text: A part of the sentence.
        release: The line that takes the cause away; empty if a reset does.
    """

    provoke: str
    status: UrStatus
    text: str
    release: str = ""


STOPS = [
    Stop("protective_stop", UrStatus.PROTECTIVE_STOP, "protective stop"),
    Stop("estop", UrStatus.EMERGENCY_STOP, "emergency stop; release the button", "release"),
    Stop("safeguard on", UrStatus.SAFEGUARD_STOP, "safeguard open", "safeguard off"),
    Stop("violation", UrStatus.VIOLATION, "restart safety at the pendant", "release"),
    Stop("fault", UrStatus.FAULT, "restart safety at the pendant", "release"),
    Stop("recovery", UrStatus.RECOVERY, "move it inside its limits", "release"),
    Stop("pendant_stop", UrStatus.PROGRAM_STOPPED, "program was stopped"),
    Stop("power off", UrStatus.POWER_OFF, "switched off"),
    Stop("slider 0.5", UrStatus.SLOWED, "speed slider is below 100 %", "slider 1"),
    Stop("remote off", UrStatus.LOCAL_CONTROL, "remote control is off", "remote on"),
]


def still_there(loop: Loop, text: str) -> None:
    """A reset is refused, and says the same."""
    with pytest.raises(Refused, match=f"still there.*{text}"):
        loop.take(c.Reset())
    run(loop, 0.1)


@pytest.mark.parametrize("stop", STOPS, ids=lambda stop: stop.provoke)
def test_a_stop_while_sliding_is_a_fault_with_a_way_out(
    arm: VirtualArm, loop: Loop, stop: Stop
) -> None:
    sliding(loop)
    assert arm.say(stop.provoke) == "ok"
    until(loop, lambda: loop.row["state"].item() == State.FAULT)
    assert loop.row["reason"].item() == Reason.ROBOT
    assert stop.text in read_text(loop.row)
    run(loop, 0.3)
    assert status(loop) == stop.status
    assert np.abs(arm.truth()["qd"]).max() < 1e-3
    if stop.release:
        still_there(loop, stop.text)
        assert arm.say(stop.release) == "ok"
        until(loop, lambda: status(loop) != stop.status)
    q = np.array(arm.truth()["q"])
    recovered(loop)
    run(loop, 0.3)
    # nothing that was commanded before the stop is obeyed after it
    np.testing.assert_allclose(arm.truth()["q"], q, atol=2e-3)
    assert arm.truth()["peak"] < MOST_FORCE


def replaced(arm: VirtualArm, loop: Loop) -> None:
    """Run another program on the arm, which turns the last joint by half a radian in a second."""
    q = arm.truth()["q"]
    away = f"def away():\n  movej({[*q[:5], q[5] - 0.5]}, a=1, v=0.5)\nend\n"
    with socket.create_connection((arm.host, 30002)) as script:
        script.sendall(away.encode())
        until(loop, lambda: loop.row["state"].item() == State.FAULT)
    assert "its program was stopped" in read_text(loop.row)
    until(loop, lambda: status(loop) == UrStatus.OTHER_PROGRAM)


def test_another_program_is_noticed_and_left_alone(arm: VirtualArm, loop: Loop) -> None:
    sliding(loop)
    q = arm.truth()["q"]
    replaced(arm, loop)
    silent = arm.truth()["input_at"]
    still_there(loop, "another program runs on it; end that one")
    until(loop, lambda: status(loop) == UrStatus.PROGRAM_STOPPED)
    ended = arm.truth()
    assert ended["input_at"] == silent and ended["q"][5] == pytest.approx(q[5] - 0.5, abs=0.01)
    assert list(ended["ended"])[-1] == "away"
    recovered(loop)
    assert arm.truth()["program"] == "rtde_control"


def test_the_end_of_a_controller_stops_another_program_too(arm: VirtualArm, loop: Loop) -> None:
    run(loop, 0.1)
    q = np.array(arm.truth()["q"])
    replaced(arm, loop)
    until(loop, lambda: abs(arm.truth()["qd"][5]) > 0.3)
    loop.robot.stop()
    until(loop, lambda: arm.truth()["program"] == "")
    run(loop, 0.5)
    assert np.abs(arm.truth()["qd"]).max() < 1e-3
    assert 0.05 < q[5] - arm.truth()["q"][5] < 0.45


def test_a_recovery_that_fails_says_why(arm: VirtualArm, loop: Loop) -> None:
    run(loop, 0.1)
    assert arm.say("protective_stop") == "ok"
    until(loop, lambda: loop.row["state"].item() == State.FAULT)
    still_there(loop, "the arm is made ready")
    still_there(loop, "is being made ready")
    assert arm.say("violation") == "ok"

    def failed() -> bool:
        with pytest.raises(Refused) as refusal:
            loop.take(c.Reset())
        run(loop, 0.05)
        return "could not be made ready: safety violation" in str(refusal.value)

    until(loop, failed)
    # nothing was started
    assert arm.truth()["program"] == ""
    assert arm.say("release") == "ok"
    until(loop, lambda: status(loop) != UrStatus.VIOLATION)
    recovered(loop)


def test_many_lost_packages_stop_the_arm(arm: VirtualArm) -> None:
    # 30 ms of the arm's time, which waits for its client meanwhile
    for loop in running(arm, PATIENT | {"safety": {"lateness": 0.02}}):
        sliding(loop)
        assert arm.say("lose 15") == "ok"
        until(loop, lambda loop=loop: loop.row["state"].item() == State.FAULT)
        assert "late" in read_text(loop.row)
        run(loop, 0.3)
        assert np.abs(arm.truth()["qd"]).max() < 1e-3
        recovered(loop)
        assert arm.truth()["peak"] < MOST_FORCE


def test_late_packages_disturb_nothing(arm: VirtualArm, loop: Loop) -> None:
    sliding(loop)
    assert arm.say("jitter 5") == "ok"
    run(loop, 1.0)
    assert loop.row["state"].item() == State.ACTIVE
    assert arm.truth()["peak"] < MOST_FORCE
    assert arm.truth()["fixture"][2] == pytest.approx(-PRESSED, abs=1.0)
