"""What every backend must hold: units, signs, frames, freshness, stopping, closing, losing it.

A new backend is added to `SPECS`.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pliant import Arm
from pliant.controller import controller_program
from pliant.controller.arm_config import configure
from pliant.errors import ConfigError
from pliant.laws.own_laws import load_law
from pliant.loop.clock import FastClock
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.numerics.spatial import quat_rotate
from pliant.reasons import Reason, State
from pliant.robots.registry import describe_robot, open_robot
from pliant.stages.supervisor import read_text
from pliant.tick import new_rows
from tests.virtual_arms import virtual_arm

EXAMPLE = Path(__file__).parents[2] / "examples" / "19_your_own_robot.py"

VIRTUAL = {"ur:": "virtual_ur", "franka:": "virtual_franka"}
"""What stands for the address of a virtual arm, and the fixture that has it."""

OWN = f"{EXAMPLE}:MyRobot"

SPECS = [
    pytest.param("sim:ur5e", id="ur5e"),
    pytest.param("sim:panda", id="panda"),
    pytest.param("sim:fr3", id="fr3"),
    pytest.param("ur:", id="ur"),
    pytest.param("franka:", id="franka"),
    pytest.param(OWN, id="own"),
]


@pytest.fixture(scope="module")
def virtual_ur():
    with virtual_arm("ur5e", "--clock", "lockstep") as arm:
        yield f"ur:{arm.host}"


@pytest.fixture(scope="module")
def virtual_franka():
    with virtual_arm("fr3", "--clock", "lockstep") as arm:
        yield f"franka:{arm.host}"


@pytest.fixture(params=SPECS)
def spec(request):
    if request.param in VIRTUAL:
        return request.getfixturevalue(VIRTUAL[request.param])
    return request.param


@pytest.fixture
def robot(spec):
    robot = open_robot(spec, configure(spec, None, None))
    robot.connect()
    yield robot
    robot.close()


def read(robot):
    tick = new_rows(robot.n)
    if robot.clock is not None:
        robot.clock.wait(new_rows(robot.n), tick)
    robot.read(tick)
    return tick


def send(robot, tick, **columns):
    """Send set points: those given, else where the joints are, and no torque."""
    tick["q_limited"] = tick["q"]
    for name, value in columns.items():
        tick[name] = value
    robot.write(tick)


def test_it_is_the_arm_that_its_spec_names(spec, robot):
    assert robot.description.name == describe_robot(spec).name
    assert robot.n == describe_robot(spec).n
    assert robot.dt == pytest.approx(1.0 / robot.description.rate)


def test_what_it_reads_is_in_si_units_and_within_the_arms_limits(robot):
    arm, tick = robot.description, read(robot)
    assert ((arm.q_min <= tick["q"][0]) & (tick["q"][0] <= arm.q_max)).all()
    assert (np.abs(tick["qd"][0]) <= arm.qd_max).all()
    assert (np.abs(tick["tau"][0]) <= arm.tau_max).all()
    assert ((tick["temperature"][0] > 0.0) & (tick["temperature"][0] < arm.temperature_max)).all()
    assert np.isfinite(tick["w_S_raw"]).all()
    assert tick["robot_status"][0] == 0


def test_every_column_that_the_loop_reads_is_written(robot):
    tick = new_rows(robot.n)
    for name in ("q", "qd", "temperature", "w_S_raw"):
        tick[name] = np.nan
    tick["sensor_seq"] = -1
    robot.read(tick)
    for name in ("q", "qd", "temperature", "w_S_raw"):
        assert np.isfinite(tick[name]).all(), name
    assert tick["sensor_seq"][0] >= 0


def test_new_readings_are_counted(robot):
    counts = []
    for _ in range(50):
        tick = read(robot)
        send(robot, tick)
        counts.append(tick["sensor_seq"][0])
    assert (np.diff(counts) >= 0).all()
    assert counts[-1] > counts[0]


def test_it_says_what_it_sent(robot):
    tick = read(robot)
    tick["q_sent"] = tick["tau_sent"] = np.nan
    send(robot, tick)
    np.testing.assert_array_equal(tick["q_sent"], tick["q_limited"])
    wanted = tick["tau_limited"] if robot.description.takes_torque else np.zeros_like(tick["tau"])
    np.testing.assert_array_equal(tick["tau_sent"], wanted)


def test_positive_set_points_move_every_joint_in_its_positive_direction(robot):
    start = tick = read(robot)
    arm, tau = robot.description, np.zeros(robot.n)
    for k in range(1, 101):
        if arm.takes_torque:
            # all joints at once, each by its own inertia's share, and no faster than the arm allows
            tau = np.minimum(np.minimum(3.0, 0.1 * arm.tau_max), tau + arm.tau_rate_max * robot.dt)
            send(robot, tick, tau_limited=tau)
            tau = tick["tau_sent"][0]
        else:
            send(robot, tick, q_limited=start["q"] + 1e-4 * k)
        tick = read(robot)
    if robot.description.takes_torque:
        # coupling may turn single joints the other way, never the power that goes in
        assert (tick["qd"] * tick["tau_sent"]).sum() >= 0.0
        assert (tick["q"] - start["q"]).sum() > 0.0
    else:
        np.testing.assert_allclose(tick["q"] - start["q"], 0.01, atol=0.006)
        np.testing.assert_allclose(tick["qd"], 1e-4 / robot.dt, rtol=0.2)


def test_a_push_is_felt_with_the_sign_of_what_is_done_to_the_tool(robot):
    if robot.hand is None:
        pytest.skip("nothing can push it")
    loop = loop_over(robot)
    before = mean_force_W(loop)
    robot.hand.schedule([3.0, -4.0, 5.0, 0.0, 0.0, 0.0])
    for _ in range(20):
        loop.step()
    np.testing.assert_allclose(mean_force_W(loop) - before, [3.0, -4.0, 5.0], atol=0.4)


def mean_force_W(loop):
    """The force of the sensor's raw reading in world axes, while the arm holds."""
    force = np.zeros(3)
    X_FS, X_FT = np.array(loop.supervisor.config.tool.X_FS), loop.supervisor.config.tool.X_FT
    R_TS = Rotation.from_quat(np.roll(X_FT[3:], -1)).inv() * Rotation.from_quat(
        np.roll(X_FS[3:], -1)
    )
    for _ in range(50):
        tick = loop.step()
        out = np.empty(3)
        quat_rotate(tick["X_WT"][0][3:], R_TS.apply(tick["w_S_raw"][0][:3]), out)
        force += out / 50
    return force


def loop_over(robot):
    config = configure("sim:ur5e", None, None)
    history = History(robot.n, 10)
    clock = robot.clock or FastClock(robot.dt)
    return Loop(robot, robot.description, clock, config, publisher=history)


def test_it_stops_in_any_state(spec):
    robot = open_robot(spec, configure(spec, None, None))
    robot.stop()
    robot.connect()
    robot.stop()
    tick = read(robot)
    for k in range(20):
        send(robot, tick, q_limited=tick["q"] + 1e-4 * k, tau_limited=0.5)
        tick = read(robot)
    for _ in range(2):
        robot.stop()
    speeds = [np.abs(read(robot)["qd"]).max() for _ in range(round(0.5 / robot.dt))]
    if robot.simulated:
        assert speeds[-1] < 2e-3
    # closing twice and stopping a closed arm raise nothing
    robot.close()
    robot.close()
    robot.stop()


def test_a_robot_that_is_not_simulated_never_runs_in_simulated_time(spec, monkeypatch):
    backend = type(open_robot(spec, configure(spec, None, None)))
    monkeypatch.setattr(backend, "simulated", False)
    moved = []
    monkeypatch.setattr(backend, "write", lambda self, tick: moved.append(tick))
    with pytest.raises(ConfigError, match="runs in real time only"):
        Arm(spec)
    assert moved == []


@pytest.mark.parametrize("broken", ["read", "write"])
def test_a_lost_connection_stops_the_arm_and_is_the_last_word(robot, monkeypatch, broken):
    loop = loop_over(robot)
    loop.step()
    stopped = []
    monkeypatch.setattr(robot, "stop", lambda: stopped.append(True))

    def lost(tick):
        raise ConnectionError("the cable is out")

    monkeypatch.setattr(robot, broken, lost)
    with pytest.raises(ConnectionError):
        loop.step()
    assert stopped == [True]
    assert loop.row["state"].item() == State.FAULT
    assert loop.row["reason"].item() == Reason.EXCEPTION
    assert "the cable is out" in read_text(loop.row)


def test_a_law_is_tried_on_a_stand_in_never_on_the_robot_itself(monkeypatch):
    spec = OWN
    backend = type(open_robot(spec, configure(spec, None, None)))
    for name in ("connect", "read", "write", "stop"):
        monkeypatch.setattr(backend, name, lambda *_: pytest.fail("the robot was touched"))
    law = load_law(f"{EXAMPLE.parent / '07_your_own_law.py'}:Shy")
    controller_program._try(law, spec, configure(spec, None, None, [law]))
