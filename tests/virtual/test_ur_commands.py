"""The rest of the commands of ur_rtde's program: each row of the table in docs/virtual_ur.md."""

import contextlib
import re
import socket
from pathlib import Path

import numpy as np
import pytest
from ur_analytic_ik import ur5e  # pyright: ignore[reportAttributeAccessIssue]

from pliant.robots.ur.rtde_client import RtdeClient
from pliant.virtual.ur.program_commands import NOTHING, PLAYED, REFUSED

from .arm_time import fresh, pass_time, until
from .tool_at_table import DOWN_B, TCP, moved, tool, zeroed

pytestmark = pytest.mark.alone

DOCS = Path(__file__).parents[2] / "docs/virtual_ur.md"
INTERNAL = {254}
"""What the program asks of itself; no client sends it."""


def numbers(text: str) -> set[int]:
    """The numbers of commands in a text: 12 servoC, 18 and 19 teach mode, 52–54 freedrive."""
    found = set()
    for first, joint, last in re.findall(r"(?<!type )\b(\d+)(?:(–| and )(\d+))?[ :]", text):
        found |= set(range(int(first), int(last or first) + 1)) if joint == "–" else {int(first)}
        found |= {int(last)} if last else set()
    return found


def test_the_table_of_the_docs_is_that_of_the_program() -> None:
    played = DOCS.read_text().partition("## What is played")[2].partition("Quirks of")[0]
    rows = re.findall(r"^\| ([a-z].*?) \| (.*) \|$", played, re.MULTILINE)
    table = {name: numbers(f"{text} ") for name, text in rows if name != "played"}
    nothing = table.pop("nothing, as before PolyScope 5.23")
    assert set.union(*table.values()) == set(PLAYED) - INTERNAL
    assert nothing == set(NOTHING)
    refused = played.partition("\nRefused")[2].partition("forceMode of types")[0]
    assert numbers(refused) == set(REFUSED)


@pytest.mark.parametrize("word", ["moveJ", "moveJ_IK", "moveL_FK"])
def test_an_asynchronous_move_ends_where_it_should(control, receive, start, word: str) -> None:
    q = np.array(start) + 0.05
    pose = np.eye(4)
    pose[2, 3] = TCP[2]
    place = (ur5e.forward_kinematics(*q) @ pose)[:3, 3]
    target = q.tolist()
    if word == "moveJ_IK":
        target = control.getForwardKinematics(target, TCP)
        np.testing.assert_allclose(target[:3], place, atol=1e-6)
    assert getattr(control, word)(target, 0.5, 2.0, True)
    until(lambda: control.getAsyncOperationProgress() >= 0, receive)
    assert control.getAsyncOperationProgressEx().isAsyncOperationRunning()
    until(lambda: control.getAsyncOperationProgress() < 0, receive)
    pass_time(receive, 0.1)
    np.testing.assert_allclose(tool(receive)[:3], place, atol=2e-5)
    np.testing.assert_allclose(receive.getActualQ(), q, atol=1e-4)


def travel_of_a_stop(control, receive, stop, speed: float) -> float:
    """How far the tool goes on after a stop of a move with some speed, m."""
    until(lambda: np.linalg.norm(receive.getActualTCPSpeed()[:3]) > 0.98 * speed, receive)
    assert not control.isSteady()
    before = tool(receive)[:3]
    stop()
    until(lambda: np.abs(receive.getActualQd()).max() < 1e-3, receive)
    until(lambda: control.getAsyncOperationProgress() < 0, receive)
    pass_time(receive, 0.1)
    assert control.isSteady()
    return float(np.linalg.norm(tool(receive)[:3] - before))


LATE = 0.03
"""Longest time until a stop begins, s: the command's way, and dead time."""


def test_stopl_brakes_the_tool(control, receive, start) -> None:
    pose, speed = tool(receive), 0.1
    for asynchronous in (True, False):
        assert control.moveL(moved(pose, 0.1, 0.0, 0.1), speed, 1.2, True)
        stop = lambda after=asynchronous: control.stopL(0.5, after)  # noqa: E731
        travel = travel_of_a_stop(control, receive, stop, speed)
        assert speed**2 / (2 * 0.5) < travel < speed**2 / (2 * 0.5) + speed * LATE
        assert control.moveJ(start, 1.0, 4.0)


def test_stopj_brakes_the_joints(connection, control, receive, start) -> None:
    # in a new program, in which no asynchronous stop has made every stop a stopl
    connection.stopScript()
    assert connection.reuploadScript()
    until(connection.isProgramRunning, receive)
    assert control.moveJ([start[0] - 1.0, *start[1:]], 0.5, 2.0, True)
    radius = float(np.linalg.norm(tool(receive)[:2]))
    angle = travel_of_a_stop(control, receive, lambda: control.stopJ(2.0), 0.5 * radius) / radius
    braking = 0.5**2 / (2 * 2.0)
    assert 0.97 * braking < angle < braking + 0.5 * LATE


def falling(control, receive) -> float:
    """The speed at which force mode moves the free tool, asked for 10 N, m/s."""
    assert control.forceMode([0.0] * 6, [0, 0, 1, 0, 0, 0], [0, 0, -10.0, 0, 0, 0], 2, [0.1] * 6)
    pass_time(receive, 0.3)
    speeds = []
    for _ in range(50):
        pass_time(receive, 0.004)
        speeds.append(receive.getActualTCPSpeed()[2])
    assert control.forceModeStop()
    return -float(np.mean(speeds))


def test_gain_and_damping_of_force_mode(control, receive, start) -> None:
    usual = falling(control, receive)
    assert control.moveJ(start, 1.0, 4.0)
    zeroed(control, receive)
    assert control.forceModeSetGainScaling(1.0)
    assert falling(control, receive) == pytest.approx(2.0 * usual, rel=0.1)
    assert control.moveJ(start, 1.0, 4.0)
    zeroed(control, receive)
    assert control.forceModeSetDamping(0.5)
    assert falling(control, receive) == pytest.approx(usual * 0.5 / 0.975 * 2.0, rel=0.1)
    assert control.forceModeSetGainScaling(0.5) and control.forceModeSetDamping(0.025)


def test_tool_contact_tells_how_long_the_tool_touches(control, receive) -> None:
    pose = tool(receive)

    def steps() -> int:
        return fresh(lambda: control.toolContact(DOWN_B), receive)

    assert steps() == 0
    assert control.moveL(moved(pose, 0.0, 0.0, -0.045), 0.2, 1.0)
    zeroed(control, receive)
    assert control.forceMode([0.0] * 6, [0, 0, 1, 0, 0, 0], [0, 0, -10.0, 0, 0, 0], 2, [0.05] * 6)
    pass_time(receive, 1.5)
    first, since = steps(), receive.getTimestamp()
    assert first > 0
    pass_time(receive, 0.2)
    passed = (receive.getTimestamp() - since) / 0.002
    assert steps() - first == pytest.approx(passed, abs=60)
    assert fresh(lambda: control.toolContact([0.0, 0.0, 1.0, 0.0, 0.0, 0.0]), receive) == 0
    assert control.forceModeStop()


def test_jogging_in_a_frame_of_ones_own(control, receive) -> None:
    pose = tool(receive)
    # its z axis is the base's x axis
    frame = [0.0, 0.0, 0.0, 0.0, np.pi / 2, 0.0]
    assert control.jogStart([0.0, 0.0, 0.05, 0.0, 0.0, 0.0], control.FEATURE_CUSTOM, 0.5, frame)
    pass_time(receive, 0.4)
    assert control.jogStop()
    change = tool(receive)[:3] - pose[:3]
    assert change[0] > 0.01 and np.abs(change[1:]).max() < 1e-4


def test_joint_torques_are_those_of_a_push(arm, control, receive) -> None:
    before = np.array(fresh(control.getJointTorques, receive))
    assert arm.say("push 0 0 20 2") == "ok"
    pass_time(receive, 0.5)
    torques = np.array(fresh(control.getJointTorques, receive)) - before
    # the axis of joint 1 is vertical; that of joint 2 is horizontal, at the arm's own base
    radius = float(np.linalg.norm(tool(receive)[:2]))
    offset = 0.1333
    lever = np.sqrt(radius**2 - offset**2)
    assert abs(torques[0]) < 0.5
    assert abs(torques[1]) == pytest.approx(20.0 * lever, rel=0.05)
    # until nobody pushes any more
    pass_time(receive, 2.0)


def test_poses_of_the_flange(control, receive) -> None:
    flange = np.array(fresh(control.getActualToolFlangePose, receive))
    np.testing.assert_allclose(flange[:3], tool(receive)[:3] + np.array([0, 0, TCP[2]]), atol=1e-4)


def test_the_watchdog_can_be_kicked(control, receive) -> None:
    assert control.setWatchdog(10.0)
    end = receive.getTimestamp() + 0.5
    while receive.getTimestamp() < end:
        assert control.kickWatchdog()
    assert control.isProgramRunning()
    until(lambda: not control.isProgramRunning(), receive)


def test_torques_and_dynamics_do_nothing(control, receive, start) -> None:
    for ask in (
        lambda: control.directTorque([0.0, 0.0, 0.0, 0.0, 0.0, 5.0]),
        control.getMassMatrix,
        control.getCoriolisAndCentrifugalTorques,
        control.getTargetJointAccelerations,
        control.getJacobian,
        control.getJacobianTimeDerivative,
    ):
        # ur_rtde finds no answer
        with contextlib.suppress(RuntimeError):
            ask()
    pass_time(receive, 0.3)
    np.testing.assert_allclose(receive.getActualQ(), start, atol=1e-4)
    assert control.isProgramRunning()
    assert control.isSteady()


WRENCH = [0, 0, -10.0, 0, 0, 0]
REFUSALS = {
    "servoc": lambda control, pose: control.servoC(moved(pose, 0.01, 0.0, 0.0)),
    "end_teach_mode": lambda control, pose: control.endTeachMode(),
    "freedrive_mode": lambda control, pose: control.freedriveMode(),
    "end_freedrive_mode": lambda control, pose: control.endFreedriveMode(),
    "get_freedrive_status": lambda control, pose: control.getFreedriveStatus(),
    "ft_rtde_input_enable": lambda control, pose: control.ftRtdeInputEnable(True),
    "enable_external_ft_sensor": lambda control, pose: control.enableExternalFtSensor(True),
    "set_gravity": lambda control, pose: control.setGravity([0.0, 0.0, 9.82]),
    "not 1": lambda control, pose: control.forceMode([0.0] * 6, [0] * 6, WRENCH, 1, [0.1] * 6),
    "not 3": lambda control, pose: control.forceMode([0.0] * 6, [0] * 6, WRENCH, 3, [0.1] * 6),
}


@pytest.mark.parametrize("text", REFUSALS)
def test_what_is_refused_ends_the_program_with_a_message(arm, control, receive, text: str) -> None:
    listener = RtdeClient(arm.host)
    listener.start(["timestamp"])
    # ur_rtde waits for an answer that does not come
    with contextlib.suppress(RuntimeError):
        REFUSALS[text](control, tool(receive))
    until(lambda: not control.isProgramRunning(), receive)

    def told() -> bool:
        listener.newest(1.0)
        return any("the virtual UR" in line and text in line for line in listener.messages)

    until(told, receive)
    listener.close()
    pass_time(receive, 0.1)
    assert np.abs(receive.getActualQd()).max() < 1e-3


def script(pose) -> str:
    """A pose in a program."""
    return f"p[{','.join(f'{number:.9f}' for number in pose)}]"


@pytest.mark.parametrize("port", [30001, 30002, 30003])
def test_a_program_of_lines_is_played(arm, control, receive, port: int) -> None:
    pose = tool(receive)
    on_the_way, end = moved(pose, 0.05, 0.0, 0.02), moved(pose, 0.05, 0.05, 0.02)
    text = (
        f"def lines_{port}():\n  movel({script(on_the_way)},a=1.2,v=0.25,r=0.01)\n"
        f"  movep({script(end)},a=1.2,v=0.25)\n  stopl(3)\n  stopj(3)\nend\n"
    )
    with socket.create_connection((arm.host, port)) as connection:
        connection.sendall(text.encode())
        until(lambda: f"lines_{port}" in arm.truth()["ended"], receive)
    pass_time(receive, 0.1)
    np.testing.assert_allclose(tool(receive)[:3], end[:3], atol=2e-5)
    assert arm.truth()["program"] == ""
