"""ur_rtde takes the virtual UR for a real one, and the physics does what was asked."""

import time

import dashboard_client
import numpy as np
import pytest
import rtde_control
import rtde_io
from scipy.spatial.transform import Rotation
from ur_analytic_ik import ur5e  # pyright: ignore[reportAttributeAccessIssue]

from .arm_time import LOOK, fresh, pass_time, until
from .tool_at_table import DOWN_B, TABLE, TCP, moved, tool, zeroed

pytestmark = pytest.mark.alone


def test_state_is_in_the_frames_of_a_ur(arm, receive, start) -> None:
    pose = np.eye(4)
    pose[:3, 3] = 0, 0, TCP[2]
    theirs = ur5e.forward_kinematics(*start) @ pose
    np.testing.assert_allclose(tool(receive)[:3], theirs[:3, 3], atol=1e-6)
    R = Rotation.from_rotvec(tool(receive)[3:]).as_matrix()
    np.testing.assert_allclose(R, theirs[:3, :3], atol=1e-6)
    assert receive.getRobotMode() == 7 and receive.getSafetyMode() == 1
    assert receive.getPayload() == pytest.approx(0.5)
    assert np.linalg.norm(receive.getActualTCPForce()[:3]) < 1.0


def test_movej_and_movel_end_where_they_should(control, receive, start) -> None:
    pose = tool(receive)
    assert control.moveL(moved(pose, 0.03, -0.02, 0.04), 0.25, 1.2)
    pass_time(receive, 0.05)
    np.testing.assert_allclose(
        tool(receive)[:3], pose[:3] + np.array([0.03, -0.02, 0.04]), atol=2e-5
    )
    assert control.moveJ(start, 1.0, 4.0)
    pass_time(receive, 0.05)
    np.testing.assert_allclose(receive.getActualQ(), start, atol=1e-5)
    target = np.array(start) + 0.05
    assert control.moveL_FK(target.tolist(), 0.25, 1.2)
    pass_time(receive, 0.05)
    np.testing.assert_allclose(receive.getActualQ(), target, atol=1e-4)
    assert control.moveJ_IK(moved(pose, 0.0, 0.0, 0.01), 1.0, 4.0)
    pass_time(receive, 0.05)
    np.testing.assert_allclose(tool(receive)[:3], pose[:3] + np.array([0.0, 0.0, 0.01]), atol=2e-5)


def test_a_movel_is_straight_and_keeps_its_speed(control, receive) -> None:
    pose = tool(receive)
    assert control.moveL(moved(pose, 0.1, 0.0, 0.0), 0.1, 1.0, True)
    places, speeds = [], []
    while control.getAsyncOperationProgress() >= 0 or not places:
        time.sleep(LOOK)
        places.append(tool(receive))
        speeds.append(np.linalg.norm(receive.getActualTCPSpeed()[:3]))
    across = np.abs(np.array(places)[:, 1:3] - pose[1:3])
    assert across.max() < 5e-5
    assert 0.099 < max(speeds) < 0.103


def test_a_blended_path_cuts_its_corners_and_reports_progress(control, receive) -> None:
    pose = tool(receive)
    corner, end = moved(pose, 0.06, 0.0, 0.02), moved(pose, 0.06, 0.06, 0.02)
    path = [[*corner, 0.25, 1.2, 0.02], [*end, 0.25, 1.2, 0.0]]
    assert control.moveL(path, True)
    nearest, slowest, progress = 1.0, 1.0, set()
    until(lambda: control.getAsyncOperationProgress() >= 0, receive)
    while (state := control.getAsyncOperationProgress()) >= 0:
        progress.add(state)
        time.sleep(LOOK)
        away = float(np.linalg.norm(tool(receive)[:3] - corner[:3]))
        nearest = min(nearest, away)
        if away < 0.019:
            slowest = min(slowest, float(np.linalg.norm(receive.getTargetTCPSpeed()[:3])))
    pass_time(receive, 0.05)
    np.testing.assert_allclose(tool(receive)[:3], end[:3], atol=2e-5)
    # a parabola from 20 mm before the corner to 20 mm after it passes it at 20/√8 mm; a look may
    # come before or after that
    assert 0.02 / np.sqrt(8) - 1e-4 < nearest < 0.012
    assert slowest > 0.1
    assert progress == {0, 1}


def test_a_mixed_path_is_played(control, receive) -> None:
    pose = tool(receive)
    path, entry = rtde_control.Path(), rtde_control.PathEntry
    for kind, change in ((entry.MoveJ, 0.03), (entry.MoveL, 0.0)):
        numbers = [*moved(pose, change, 0.0, 0.03), 0.25, 1.2, 0.01]
        path.addEntry(entry(kind, entry.PositionTcpPose, numbers))
    assert control.movePath(path, False)
    pass_time(receive, 0.05)
    np.testing.assert_allclose(tool(receive)[:3], pose[:3] + np.array([0.0, 0.0, 0.03]), atol=2e-5)


def test_an_asynchronous_move_can_be_stopped(control, receive) -> None:
    pose = tool(receive)
    assert control.moveL(moved(pose, 0.2, 0.0, 0.1), 0.1, 1.0, True)
    until(lambda: np.linalg.norm(tool(receive)[:3] - pose[:3]) > 0.02, receive)
    control.stopL(5.0)
    pass_time(receive, 0.05)
    assert np.abs(receive.getActualQd()).max() < 1e-3
    assert np.linalg.norm(tool(receive)[:3] - pose[:3]) < 0.03
    assert control.getAsyncOperationProgress() < 0


def test_servoj_follows_with_the_stated_lag(control, receive) -> None:
    pose, speed = np.array(fresh(control.getActualToolFlangePose, receive)), 0.1
    q = np.array(receive.getActualQ())
    lags = []
    before, target = receive.getTimestamp(), q.copy()
    while len(lags) < 500:
        now = receive.getTimestamp()
        if now == before:
            time.sleep(LOOK / 4)
            continue
        if len(lags) > 300:
            lags.append((target[0] - receive.getActualQ()[0]) / speed)
        else:
            lags.append(np.nan)
        # one set point per period of the arm
        target = target + np.array([speed * (now - before), 0, 0, 0, 0, 0])
        before = now
        assert control.servoJ(target.tolist(), 0.0, 0.0, 0.002, 0.03, 300.0)
    control.servoStop(10.0)
    assert np.nanmedian(lags) == pytest.approx(0.034, abs=0.004)
    after = np.array(fresh(control.getActualToolFlangePose, receive))
    assert np.linalg.norm(after - pose) > 0.02


def test_servol_and_speeds(control, receive) -> None:
    pose = tool(receive)
    for _ in range(300):
        assert control.servoL(moved(pose, 0.01, 0.0, 0.0), 0.0, 0.0, 0.002, 0.03, 300.0)
        pass_time(receive, 0.0019)
    np.testing.assert_allclose(tool(receive)[:3], pose[:3] + np.array([0.01, 0, 0]), atol=1e-4)
    control.servoStop()
    control.speedL([0.05, 0.0, 0.0, 0.0, 0.0, 0.0], 0.5)
    pass_time(receive, 0.3)
    np.testing.assert_allclose(receive.getActualTCPSpeed(), [0.05, 0, 0, 0, 0, 0], atol=2e-3)
    control.speedStop()
    control.speedJ([0.0, 0.0, 0.0, 0.0, 0.0, 0.3], 2.0)
    pass_time(receive, 0.3)
    np.testing.assert_allclose(receive.getActualQd(), [0, 0, 0, 0, 0, 0.3], atol=3e-3)
    control.speedStop()
    pass_time(receive, 0.05)
    assert np.abs(receive.getActualQd()).max() < 1e-3


def test_force_mode_presses_with_what_was_asked(arm, control, receive) -> None:
    pose = tool(receive)
    assert control.moveL(moved(pose, 0.0, 0.0, -0.045), 0.2, 1.0)
    zeroed(control, receive)
    wrench, limits = [0, 0, -10.0, 0, 0, 0], [0.1, 0.1, 0.05, 0.2, 0.2, 0.2]
    assert control.forceMode([0.0] * 6, [0, 0, 1, 0, 0, 0], wrench, 2, limits)
    pass_time(receive, 2.0)
    forces = [arm.truth()["fixture"][2] for _ in range(20)]
    assert np.mean(forces) == pytest.approx(-10.0, abs=0.5)
    # what the environment does to the tool, in axes of the base
    assert receive.getActualTCPForce()[2] == pytest.approx(10.0, abs=1.0)
    assert control.forceModeStop()
    assert arm.truth()["peak"] < 15.0


def test_move_until_contact_stops_at_the_touch(arm, control, receive) -> None:
    assert control.moveUntilContact([0.0, 0.0, -0.03, 0.0, 0.0, 0.0], DOWN_B)
    pass_time(receive, 0.1)
    assert tool(receive)[2] == pytest.approx(TABLE, abs=5e-4)
    assert np.abs(arm.truth()["fixture"][2]) < 5.0


def test_contact_detection_ends_an_asynchronous_move(control, receive) -> None:
    pose = tool(receive)
    assert control.startContactDetection()
    assert not control.readContactDetection()
    assert control.moveL(moved(pose, 0.0, 0.0, -0.06), 0.03, 1.0, True)
    # no command meanwhile: the uploaded program forgets either the contact or the command
    until(lambda: control.getAsyncOperationProgress() >= 0, receive)
    until(lambda: control.getAsyncOperationProgress() < 0, receive)
    pass_time(receive, 1.0)
    assert control.readContactDetection()
    assert control.stopContactDetection()
    assert tool(receive)[2] == pytest.approx(TABLE, abs=5e-4)


def test_jogging_in_base_and_tool_axes(control, receive) -> None:
    for feature, direction in ((0, 1.0), (1, -1.0)):
        pose = tool(receive)
        assert control.jogStart([0.0, 0.0, 0.05, 0.0, 0.0, 0.0], feature)
        pass_time(receive, 0.4)
        assert control.jogStop()
        # the tool points down, so its z axis is the base's −z
        change = tool(receive)[2] - pose[2]
        assert change * direction > 0.01


def test_kinematics(control, receive, start) -> None:
    pose = tool(receive)
    near = np.array(start) + 0.05
    np.testing.assert_allclose(
        control.getInverseKinematics(pose.tolist(), near.tolist(), 1e-9, 1e-9), start, atol=1e-4
    )
    np.testing.assert_allclose(control.getInverseKinematics(pose.tolist()), start, atol=1e-4)
    assert control.getInverseKinematicsHasSolution(pose.tolist())
    away = [2.0, 0.0, 0.5, 0.0, 0.0, 0.0]
    assert not control.getInverseKinematicsHasSolution(away)
    assert control.getInverseKinematicsHasSolution(pose.tolist(), near.tolist())
    assert not control.getInverseKinematicsHasSolution(away, near.tolist())
    np.testing.assert_allclose(control.getForwardKinematics()[:3], pose[:3], atol=1e-5)
    assert control.isPoseWithinSafetyLimits(pose.tolist())
    assert not control.isJointsWithinSafetyLimits([9.0] * 6)
    assert fresh(control.getStepTime, receive) == 0.002
    past = fresh(lambda: control.getActualJointPositionsHistory(5), receive)
    np.testing.assert_allclose(past, start, atol=1e-4)
    np.testing.assert_allclose(control.getTargetWaypoint()[:3], pose[:3], atol=1e-5)
    assert np.isfinite(fresh(control.getJointTorques, receive)).all()


def test_forward_kinematics_of_given_joints(control, receive, start) -> None:
    flange = tool(receive)[:3] + np.array([0.0, 0.0, TCP[2]])
    pose = control.getForwardKinematics(start, [0.0, 0.0, 0.5, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(pose[:3], flange - [0.0, 0.0, 0.5], atol=1e-4)
    # without a TCP ur_rtde sends none, so the program takes what an earlier command left there
    product = control.poseTrans([0.1, 0, 0, 0, 0, 0], [0.0, 0.0, 0.2, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(product[:3], [0.1, 0.0, 0.2], atol=1e-9)
    pose = control.getForwardKinematics(start)
    np.testing.assert_allclose(pose[:3], flange - [0.0, 0.0, 0.2], atol=1e-4)


def test_tcp_and_payload(control, receive, start) -> None:
    pose = tool(receive)
    assert control.setTcp([0.0, 0.0, 0.1, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(control.getTCPOffset(), [0, 0, 0.1, 0, 0, 0], atol=1e-9)
    pass_time(receive, 0.01)
    assert tool(receive)[2] - pose[2] == pytest.approx(0.06, abs=1e-5)
    assert control.setTcp(TCP)
    force = receive.getActualTCPForce()[2]
    assert control.setPayload(1.5, [0.0, 0.0, 0.05])
    pass_time(receive, 0.01)
    # a kilogram that is not there seems to be held up
    assert receive.getActualTCPForce()[2] - force == pytest.approx(9.81, abs=0.6)
    assert receive.getPayload() == pytest.approx(1.5)
    assert control.setPayload(0.5, [0.003, -0.002, 0.06])
    assert control.setTargetPayload(0.5, [0.003, -0.002, 0.06], [6e-4, 6e-4, 3e-4, 0, 0, 0])
    assert control.zeroFtSensor()
    assert np.linalg.norm(receive.getActualTCPForce()[:3]) < 1.0


def test_a_refused_command_ends_the_program(control, receive) -> None:
    control.teachMode()
    until(lambda: not control.isProgramRunning(), receive)
    assert control.reuploadScript()
    until(control.isProgramRunning, receive)


def test_two_threads_cannot_move_the_arm(control, receive, start) -> None:
    control.speedL([0.0, 0.0, 0.02, 0.0, 0.0, 0.0], 0.5)
    pass_time(receive, 0.05)
    control.moveJ(start, 1.0, 1.0)
    until(lambda: not control.isProgramRunning(), receive)
    pass_time(receive, 0.3)
    assert np.abs(receive.getActualQd()).max() < 1e-3


def test_a_program_obeys_the_command_that_was_left(connection, control, receive) -> None:
    control.speedL([0.0, 0.0, 0.02, 0.0, 0.0, 0.0], 0.5)
    control.setWatchdog(10.0)
    control.speedL([0.0, 0.0, 0.02, 0.0, 0.0, 0.0], 0.5)
    until(lambda: not control.isProgramRunning(), receive)
    assert control.reuploadScript()
    until(lambda: receive.getActualTCPSpeed()[2] > 0.01, receive)
    control.speedStop()


def test_the_watchdog_ends_the_program_of_a_silent_client(control, receive) -> None:
    assert control.setWatchdog(10.0)
    control.speedL([0.0, 0.0, 0.02, 0.0, 0.0, 0.0], 0.5)
    until(lambda: not control.isProgramRunning(), receive)
    pass_time(receive, 0.3)
    assert np.abs(receive.getActualQd()).max() < 1e-3


def test_io(arm, receive) -> None:
    io = rtde_io.RTDEIOInterface(arm.host)
    assert io.setStandardDigitalOut(1, True) and io.setConfigurableDigitalOut(2, True)
    until(lambda: receive.getDigitalOutState(1) and receive.getDigitalOutState(10), receive)
    assert io.setStandardDigitalOut(1, False)
    until(lambda: not receive.getDigitalOutState(1), receive)
    assert receive.getDigitalOutState(10)
    assert io.setSpeedSlider(0.5)
    until(lambda: receive.getSpeedScaling() == 0.5, receive)
    assert io.setSpeedSlider(1.0)
    until(lambda: receive.getSpeedScaling() == 1.0, receive)
    io.disconnect()


def test_the_slider_stretches_a_move(arm, control, receive) -> None:
    pose = tool(receive)
    assert arm.say("slider 0.5") == "ok"
    assert control.moveL(moved(pose, 0.08, 0.0, 0.0), 0.1, 2.0, True)
    pass_time(receive, 0.4)
    assert np.linalg.norm(receive.getActualTCPSpeed()[:3]) == pytest.approx(0.05, abs=2e-3)
    assert arm.say("slider 1") == "ok"
    until(lambda: control.getAsyncOperationProgress() < 0, receive)


def test_dashboard_and_protective_stop(arm, control, receive) -> None:
    dashboard = dashboard_client.DashboardClient(arm.host)
    dashboard.connect()
    assert "RUNNING" in dashboard.robotmode() and "NORMAL" in dashboard.safetystatus()
    assert dashboard.isInRemoteControl() and dashboard.running()
    assert dashboard.getRobotModel() == "UR5" and "5.12" in dashboard.polyscopeVersion()
    control.speedL([0.0, 0.0, 0.05, 0.0, 0.0, 0.0], 0.5)
    pass_time(receive, 0.2)
    assert control.triggerProtectiveStop() in (True, False)
    until(receive.isProtectiveStopped, receive)
    pass_time(receive, 0.2)
    assert np.abs(receive.getActualQd()).max() < 1e-3
    with pytest.raises(RuntimeError):
        dashboard.unlockProtectiveStop()
    pass_time(receive, 5.0)
    dashboard.unlockProtectiveStop()
    until(lambda: not receive.isProtectiveStopped(), receive)
    assert control.reuploadScript()
    dashboard.powerOff()
    until(lambda: receive.getRobotMode() == 3, receive)
    dashboard.powerOn()
    dashboard.brakeRelease()
    until(lambda: receive.getRobotMode() == 7, receive)
    dashboard.disconnect()
