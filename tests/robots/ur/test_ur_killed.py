"""What becomes of an arm in contact whose controller is killed, or can no longer reach it.

Times are the arm's own: from the last input of a client to the end of its program, and from that to
rest.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from pliant.arms.robot_status import UrStatus
from pliant.robots.ur.ur_stopper import UrStopper
from tests.robots.sliding_controller import sliding_controller
from tests.virtual_arms import VirtualArm, virtual_arm

from .ur_loops import run, running
from .ur_loops import status as status_of

pytestmark = pytest.mark.alone

BOUND = 0.030
"""The guardian's: its 20 ms, and 10 ms until the stop is on the wire (docs/safety.md)."""

BRAKES = 4.0
"""How the leading joint of the virtual arm brakes at the end of a program, rad/s²."""

LAG = 0.03
"""From a target of the controller to rest of the joints: dead time, and what swings on, s."""

WATCHDOG = 0.1
"""Longest time between two inputs of a client that asked for 10 Hz, s."""

PERIOD = 0.002
MOST_FORCE = 15.0
TRIALS = 3
PROGRAM = "rtde_control"

CLIENT = """
import sys, time
import rtde_control, rtde_receive
host, motion, watched = sys.argv[1:]
control = rtde_control.RTDEControlInterface(host)
receive = rtde_receive.RTDEReceiveInterface(host)
pose = receive.getActualTCPPose()
if motion == "forceMode":
    control.moveL([*pose[:2], pose[2] - 0.045, *pose[3:]], 0.2, 1.0)
    time.sleep(0.1)
    control.zeroFtSensor()
if watched == "watched":
    control.setWatchdog(10.0)

def command():
    if motion == "speedL":
        control.speedL([0.05, 0.0, 0.0, 0.0, 0.0, 0.0], 0.5)
    else:
        control.forceMode([0.0] * 6, [1, 0, 1, 0, 0, 0], [-20.0, 0, -10.0, 0, 0, 0], 2, [0.05] * 6)

command()
while True:
    # a client without a watchdog need not go on
    if watched == "watched":
        command()
    speed = receive.getActualTCPSpeed()
    fast = abs(speed[0]) > (0.045 if motion == "speedL" else 0.01)
    if fast and (motion == "speedL" or receive.getActualTCPForce()[2] > 8.0):
        print("moves", flush=True)
    time.sleep(0.01)
"""


@pytest.fixture
def arm() -> Iterator[VirtualArm]:
    with virtual_arm("ur5e/table") as arm:
        yield arm


@contextmanager
def client(arm: VirtualArm, motion: str, watched: str) -> Iterator[subprocess.Popen[str]]:
    """A program with ur_rtde that moves the arm; what it prints tells that it does."""
    command = [sys.executable, "-c", CLIENT, arm.host, motion, watched]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "moves\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def fastest(truth: dict[str, Any]) -> float:
    return float(np.abs(truth["qd"]).max())


def at_rest(arm: VirtualArm) -> dict[str, Any]:
    """What the arm knows when its control program has ended, and it has had time to brake."""
    begin = arm.truth()["time"]
    while (truth := arm.truth())["program"] == PROGRAM:
        assert truth["time"] < begin + 10.0, "its program goes on"
        time.sleep(0.005)
    end = arm.truth()["ended"][PROGRAM]
    while (truth := arm.truth())["time"] < end + 1.0:
        time.sleep(0.005)
    assert truth["program"] == ""
    assert fastest(truth) < 1e-3
    assert truth["peak"] < MOST_FORCE
    return truth


def braked_in_time(truth: dict[str, Any], qd: float) -> None:
    """The arm was at rest as soon as its brakes allow after the end of its program."""
    assert truth["moved_at"] - truth["ended"][PROGRAM] < qd / BRAKES + LAG, truth


def killed(control, folder) -> float:
    """Kill a controller whose arm slides; the time from its last set point to the stop, s."""
    with sliding_controller(control, folder) as (arm, process):
        qd = fastest(arm.truth())
        process.popen.kill()
        status, _, told = process.end()
        truth = at_rest(arm)
    assert status == -signal.SIGKILL
    assert "stopped the arm by its own means" in told
    braked_in_time(truth, qd)
    return truth["ended"][PROGRAM] - truth["input_at"]


@pytest.mark.long
def test_a_killed_controller_under_servoj_is_stopped_by_its_guardian(control, folder) -> None:
    lapses = [killed(control, folder) for _ in range(TRIALS)]
    assert np.median(lapses) < BOUND, lapses


@pytest.mark.long
def test_twenty_killed_controllers(control, folder) -> None:
    lapses = [killed(control, folder) for _ in range(20)]
    assert np.percentile(lapses, 95) < BOUND, lapses


def lost(control, folder, provocation: str) -> tuple[float, dict[str, Any]]:
    """Take the connection away while the arm slides; when, and what the arm knows at rest."""
    with sliding_controller(control, folder) as (arm, process):
        before = arm.truth()
        assert arm.say(provocation) == "ok"
        status, said, told = process.end()
        truth = at_rest(arm)
        assert arm.say("cable on") == "ok"
        # the way out is a new controller
        for loop in running(arm):
            run(loop, 0.2)
            assert status_of(loop) == UrStatus.FOLLOWS
    assert status != 0
    assert "ArmLost" in said[-1] + told
    braked_in_time(truth, fastest(before))
    return before["time"], truth


@pytest.mark.long
def test_a_connection_that_is_closed_while_sliding_ends_in_rest(control, folder) -> None:
    since, truth = lost(control, folder, "drop")
    # on new connections; and ur_rtde, which connects again too, starts no program
    assert truth["ended"][PROGRAM] - since < BOUND


@pytest.mark.long
def test_a_cable_that_is_pulled_while_sliding_ends_in_rest(control, folder) -> None:
    _, truth = lost(control, folder, "cable off")
    # nobody can reach the arm any more: its watchdog acts
    assert truth["ended"][PROGRAM] - truth["input_at"] < WATCHDOG + 2 * PERIOD


@pytest.mark.parametrize("motion", ["speedL", "forceMode"])
def test_a_client_that_asked_for_a_watchdog_is_stopped_by_it(arm: VirtualArm, motion: str) -> None:
    with client(arm, motion, "watched") as process:
        process.kill()
        qd = fastest(arm.truth())
        truth = at_rest(arm)
    assert truth["ended"][PROGRAM] - truth["input_at"] < WATCHDOG + 2 * PERIOD
    braked_in_time(truth, qd)


@pytest.mark.parametrize("motion", ["speedL", "forceMode"])
def test_the_guardians_stop_ends_the_motion_of_a_dead_client(arm: VirtualArm, motion: str) -> None:
    stopper = UrStopper(arm.host)
    with client(arm, motion, "unwatched") as process:
        process.kill()
        process.wait()
        begin = arm.truth()
        # nobody stops it by itself: the program goes on with what it was told
        while (now := arm.truth())["time"] < begin["time"] + 0.2:
            time.sleep(0.005)
        assert now["program"] == PROGRAM and fastest(now) > 0.01
        before = arm.truth()
        stopper.stop()
        truth = at_rest(arm)
    assert truth["ended"][PROGRAM] - before["time"] < BOUND
    braked_in_time(truth, fastest(before))
