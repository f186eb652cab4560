"""`ur:<host>` on a virtual UR: presses, stops, says why, and comes back when asked."""

import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from pliant import commands as c
from pliant.arms.robot_status import UrStatus
from pliant.controller.arm_config import configure
from pliant.errors import ConfigError, PliantError, Refused
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.reasons import Reason, State
from pliant.robots.registry import open_robot
from pliant.robots.ur import push_test
from pliant.robots.ur.ur_identity import require_version
from pliant.robots.ur.ur_robot import UrRobot
from pliant.robots.ur.ur_stopper import UrStopper
from pliant.stages.supervisor import read_text
from tests.virtual_arms import VirtualArm, virtual_arm

pytestmark = pytest.mark.alone

PATIENT = {"safety": {"lateness": 60.0}, "ur": {"silence": 1.0, "watchdog": 2.0}}
"""For machines on which other tests run."""

MOST = 20.0
"""Longest time of the arm in a test, s."""


@pytest.fixture
def arm() -> Iterator[VirtualArm]:
    with virtual_arm("ur5e/table", "--clock", "lockstep") as arm:
        yield arm


@pytest.fixture
def loop(arm: VirtualArm) -> Iterator[Loop]:
    yield from running(arm)


def running(arm: VirtualArm) -> Iterator[Loop]:
    spec = f"ur:{arm.host}"
    config = configure(spec, PATIENT, None)
    robot = open_robot(spec, config)
    assert robot.clock is not None
    history = History(robot.n, 10)
    loop = Loop(robot, robot.description, robot.clock, config, publisher=history)
    yield loop
    robot.stop()
    robot.close()


def until(loop: Loop, condition: Callable[[], bool]) -> None:
    """Run until a condition holds, at most 20 s of the arm's time."""
    for _ in range(round(MOST / loop.robot.dt)):
        if condition():
            return
        loop.step()
    pytest.fail(f"it did not come to pass: {read_text(loop.row)}")


def run(loop: Loop, seconds: float) -> None:
    for _ in range(round(seconds / loop.robot.dt)):
        loop.step()


def pressing(loop: Loop) -> None:
    """Press on the table with 5 N."""
    loop.take(c.Zero())
    run(loop, 0.4)
    loop.take(c.Activate(law="hybrid_admittance"))
    loop.step()
    loop.take(c.SetAxes(mask=(0, 0, 1, 0, 0, 0)))
    loop.step()
    loop.take(c.SetWrench(wrench=(0.0, 0.0, -5.0, 0.0, 0.0, 0.0)))
    until(loop, lambda: loop.row["w_T"][0, 2] < -4.5)


def status(loop: Loop) -> int:
    return loop.row["robot_status"].item()


def recovered(loop: Loop) -> None:
    """Reset until the arm follows again."""
    for _ in range(200):
        try:
            loop.take(c.Reset())
            break
        except Refused as refusal:
            assert "reset again" in str(refusal)
            run(loop, 0.1)
    loop.step()
    assert loop.row["state"].item() == State.INACTIVE
    assert status(loop) == UrStatus.FOLLOWS


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


@pytest.mark.parametrize(
    ("provoke", "release", "expected", "text"),
    [
        ("protective_stop", "", UrStatus.PROTECTIVE_STOP, "protective stop"),
        ("estop", "release", UrStatus.EMERGENCY_STOP, "emergency stop"),
        ("safeguard on", "safeguard off", UrStatus.SAFEGUARD_STOP, "safeguard"),
        ("pendant_stop", "", UrStatus.PROGRAM_STOPPED, "program was stopped"),
        ("power off", "", UrStatus.POWER_OFF, "switched off"),
        ("slider 0.5", "slider 1", UrStatus.SLOWED, "speed slider"),
    ],
)
def test_a_stop_in_contact_is_a_fault_with_a_way_out(
    arm: VirtualArm, loop: Loop, provoke: str, release: str, expected: UrStatus, text: str
) -> None:
    pressing(loop)
    assert arm.say(provoke) == "ok"
    until(loop, lambda: loop.row["state"].item() == State.FAULT)
    assert loop.row["reason"].item() == Reason.ROBOT
    assert text in read_text(loop.row)
    run(loop, 0.3)
    assert status(loop) == expected
    assert np.abs(arm.truth()["qd"]).max() < 1e-3
    assert arm.truth()["peak"] < 10.0
    if release:
        with pytest.raises(Refused, match="still there"):
            loop.take(c.Reset())
        run(loop, 0.1)
        assert arm.say(release) == "ok"
        run(loop, 0.1)
    q = np.array(arm.truth()["q"])
    recovered(loop)
    run(loop, 0.3)
    # nothing that was commanded before the stop is obeyed after it
    np.testing.assert_allclose(arm.truth()["q"], q, atol=2e-3)
    assert arm.truth()["peak"] < 10.0


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
    loop.take(c.SetAxes(mask=(0, 0, 0, 0, 0, 0)))
    loop.step()
    loop.take(c.MoveBy(delta=(0.0, 0.0, 0.2, 0.0, 0.0, 0.0)))
    until(loop, lambda: loop.row["v_WT_W"][0, 2] > 0.05)
    stopper.stop()
    stopper.stop()
    until(loop, lambda: loop.row["state"].item() == State.FAULT)
    run(loop, 0.5)
    assert np.abs(arm.truth()["qd"]).max() < 1e-3
    assert status(loop) == UrStatus.PROGRAM_STOPPED


def test_a_client_that_dies_is_stopped_by_the_watchdog(arm: VirtualArm, loop: Loop) -> None:
    pressing(loop)
    loop.take(c.SetAxes(mask=(0, 0, 0, 0, 0, 0)))
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


@pytest.mark.parametrize(
    ("version", "text"), [((3, 15, 0, 0), "CB3"), ((10, 7, 0, 0), "PolyScope X")]
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
