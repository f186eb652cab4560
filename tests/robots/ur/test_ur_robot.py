"""`ur:<host>` on a virtual UR: presses, stops, says why, and comes back when asked."""

import socket
import time
from dataclasses import asdict

import numpy as np
import pytest

from pliant import commands as c
from pliant.arms.robot_status import UrStatus
from pliant.controller.arm_config import configure
from pliant.errors import ConfigError, PliantError, Refused
from pliant.loop.loop import Loop
from pliant.reasons import State
from pliant.robots.registry import open_robot
from pliant.robots.ur import push_test
from pliant.robots.ur.ur_identity import require_version
from pliant.robots.ur.ur_robot import UrRobot
from pliant.robots.ur.ur_stopper import UrStopper
from pliant.stages.supervisor import read_text
from tests.virtual_arms import VirtualArm

from .ur_loops import PATIENT, pressing, recovered, run, running, status, until

pytestmark = pytest.mark.alone


def test_it_presses_with_what_was_asked(arm: VirtualArm, loop: Loop) -> None:
    pressing(loop)
    run(loop, 1.0)
    forces = []
    for _ in range(25):
        run(loop, 0.02)
        forces.append(arm.truth()["fixture"][2])
    assert np.mean(forces) == pytest.approx(-5.0, abs=0.3)
    assert arm.truth()["peak"] < 8.0


def test_every_tick_is_one_package(arm: VirtualArm, loop: Loop) -> None:
    times = []
    for _ in range(1000):
        loop.step()
        times.append(loop.robot.clock.state["timestamp"])  # pyright: ignore
    steps = np.round(np.diff(times) / loop.robot.dt).astype(int)
    assert (steps >= 1).all()
    # what the loop missed on a busy machine is told as lateness, never hidden
    assert loop.row["k"].item() == 1000


def test_over_force_stops_the_arm(arm: VirtualArm, loop: Loop) -> None:
    assert arm.say("push 0 0 400 1") == "ok"
    until(loop, lambda: loop.row["state"].item() == State.FAULT)
    assert "protective stop" in read_text(loop.row) or "contact force" in read_text(loop.row)


def test_a_lost_connection_is_the_last_word(arm: VirtualArm, loop: Loop) -> None:
    run(loop, 0.2)
    arm.process.kill()
    arm.process.wait()
    with pytest.raises(PliantError, match=r"connection|package"):
        run(loop, 5.0)
    assert loop.row["state"].item() == State.FAULT


def test_lost_packages_are_told_as_lateness(arm: VirtualArm, loop: Loop) -> None:
    run(loop, 0.1)
    assert arm.say("lose 10") == "ok"
    late = []
    for _ in range(100):
        loop.step()
        late.append(loop.row["lateness"].item())
    assert max(late) >= 10 * loop.robot.dt - 1e-6
    assert arm.truth()["unsent"] == 10


def test_the_guardians_stopper_ends_the_program_of_a_moving_arm(
    arm: VirtualArm, loop: Loop
) -> None:
    stopper = UrStopper(arm.host)
    pressing(loop)
    loop.take(c.SetAxes(mask=(False, False, False, False, False, False)))
    loop.step()
    loop.take(c.MoveBy(delta=(0.0, 0.0, 0.2, 0.0, 0.0, 0.0)))
    until(loop, lambda: loop.row["v_WT_W"][0, 2] > 0.05)
    stopper.stop()
    stopper.stop()
    until(loop, lambda: loop.row["state"].item() == State.FAULT)
    run(loop, 0.5)
    assert np.abs(arm.truth()["qd"]).max() < 1e-3
    assert status(loop) == UrStatus.PROGRAM_STOPPED


def test_a_stopper_connects_again_to_an_arm_that_hung_up(arm: VirtualArm) -> None:
    stopper = UrStopper(arm.host)
    q = arm.truth()["q"]
    with socket.create_connection((arm.host, 30002)) as script:
        script.sendall(f"def away():\n  movej({[q[0] - 1.0, *q[1:]]}, a=1, v=0.5)\nend\n".encode())
        while np.abs(arm.truth()["qd"]).max() < 0.4:
            time.sleep(0.01)
        assert arm.say("drop") == "ok"
    stopper.stop()
    while "pliant_stop" not in arm.truth()["ended"]:
        time.sleep(0.01)
    assert arm.truth()["q"][0] > q[0] - 0.9, "it went on to its end"
    assert np.abs(arm.truth()["qd"]).max() < 1e-2


def test_a_program_that_is_started_again_has_a_watchdog(arm: VirtualArm) -> None:
    for loop in running(arm, PATIENT | {"ur": {"silence": 1.0, "watchdog": 50.0}}):
        run(loop, 0.1)
        assert arm.say("pendant_stop") == "ok"
        until(loop, lambda loop=loop: loop.row["state"].item() == State.FAULT)
        recovered(loop)
        run(loop, 0.1)
        assert arm.truth()["program"] == "rtde_control"
        # no more set points
        start = arm.truth()["time"]
        while arm.truth()["program"]:
            assert arm.truth()["time"] < start + 0.1
            time.sleep(0.01)


def test_a_client_that_dies_is_stopped_by_the_watchdog(arm: VirtualArm, loop: Loop) -> None:
    pressing(loop)
    loop.take(c.SetAxes(mask=(False, False, False, False, False, False)))
    loop.step()
    loop.take(c.MoveBy(delta=(0.0, 0.0, 0.2, 0.0, 0.0, 0.0)))
    until(loop, lambda: loop.row["v_WT_W"][0, 2] > 0.05)
    # no more set points
    start = arm.truth()["time"]
    while arm.truth()["time"] < start + 2.0:
        time.sleep(0.05)
    assert np.abs(arm.truth()["qd"]).max() < 1e-3


def test_remote_control_must_be_on(arm: VirtualArm) -> None:
    assert arm.say("remote off") == "ok"
    with pytest.raises(PliantError, match="not in remote control"):
        next(running(arm))


def test_registers_of_another_client_are_told(arm: VirtualArm) -> None:
    assert arm.say("in_use on") == "ok"
    with pytest.raises(PliantError, match="in use"):
        next(running(arm))


def test_an_arm_that_is_stopped_is_not_connected(arm: VirtualArm) -> None:
    assert arm.say("estop") == "ok"
    with pytest.raises(PliantError, match="emergency stop; release the button"):
        next(running(arm))


def test_nobody_there() -> None:
    with pytest.raises(PliantError, match=r"no arm answers at 127\.0\.77\.77"):
        next(running(type("Nobody", (), {"host": "127.0.77.77"})))  # pyright: ignore
    with pytest.raises(ConfigError, match="needs the address"):
        open_robot("ur:", configure("ur:x", None, None))
    with pytest.raises(ConfigError, match="500 Hz"):
        open_robot("ur:x", configure("ur:x", None, None), 250.0)


def test_the_scene_is_that_of_the_drawing() -> None:
    assert open_robot("ur:x", configure("ur:x", None, None)).scene_nominal is None
    X_WH = (0.4, 0.1, 0.2, 1.0, 0.0, 0.0, 0.0)
    drawing = {"X_WH": X_WH, "hole_depth": 0.02, "peg_radius": 0.008}
    robot = open_robot("ur:x", configure("ur:x", {"ur": {"drawing": drawing}}, None))
    assert robot.scene_nominal is not None
    assert asdict(robot.scene_nominal) == drawing | {"name": "drawing"}
    with pytest.raises(ConfigError, match=r"ur\.drawing\.X_WH"):
        configure("ur:x", {"ur": {"drawing": {"hole_depth": 0.02}}}, None)


@pytest.mark.parametrize(
    ("version", "text"),
    [((3, 15, 0, 0), "CB3"), ((10, 7, 0, 0), "PolyScope X"), ((5, 4, 0, 0), "too old")],
)
def test_other_generations_are_a_sentence(version: tuple, text: str) -> None:
    with pytest.raises(ConfigError, match=text):
        require_version(version)


def test_laws_that_need_force_wait_for_the_push_test(
    loop: Loop, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    monkeypatch.setenv("PLIANT_STATE_DIR", str(tmp_path))
    robot = loop.robot
    assert isinstance(robot, UrRobot)
    real = type(robot.identity)(model="ur5e", version=(5, 12, 4, 0), serial="2019", remote=True)
    monkeypatch.setattr(robot, "identity", real)
    loop.take(c.Zero())
    run(loop, 0.4)
    with pytest.raises(Refused, match="push-test"):
        loop.take(c.Activate(law="hybrid_admittance"))
    loop.step()
    push_test.confirm("2019")
    loop.take(c.Activate(law="hybrid_admittance"))
