"""Outputs, the dashboard and what is received, of a virtual UR at rest."""

import dashboard_client
import numpy as np
import pytest
import rtde_io

from .arm_time import until

pytestmark = pytest.mark.alone


def test_outputs(arm, receive) -> None:
    io = rtde_io.RTDEIOInterface(arm.host)
    assert io.setToolDigitalOut(1, True)
    until(lambda: receive.getDigitalOutState(17), receive)
    assert io.setToolDigitalOut(1, False)
    until(lambda: not receive.getDigitalOutState(17), receive)
    assert io.setAnalogOutputVoltage(0, 0.25) and io.setAnalogOutputCurrent(1, 0.75)
    until(lambda: receive.getStandardAnalogOutput0() == 0.25, receive)
    until(lambda: receive.getStandardAnalogOutput1() == 0.75, receive)
    assert io.setInputIntRegister(19, 7) and io.setInputDoubleRegister(19, 0.5)
    io.disconnect()


def test_dashboard(arm, receive) -> None:
    dashboard = dashboard_client.DashboardClient(arm.host)
    dashboard.connect()
    assert dashboard.getSerialNumber() == "00000000001"
    assert dashboard.programState().startswith("STOPPED") and not dashboard.running()
    assert "NORMAL" in dashboard.safetymode()
    assert dashboard.getLoadedProgram() == "No program loaded"
    for words in ("popup hello", "close popup", "close safety popup", "addToLog hello", "stop"):
        dashboard.send(f"{words}\n")
        assert "could not understand" not in dashboard.receive()
    dashboard.restartSafety()
    until(lambda: receive.getRobotMode() == 3, receive)
    dashboard.brakeRelease()
    until(lambda: receive.getRobotMode() == 7, receive)
    dashboard.quit()


def test_everything_is_received(receive) -> None:
    q = np.array(receive.getActualQ())
    np.testing.assert_allclose(receive.getTargetQ(), q, atol=1e-3)
    np.testing.assert_allclose(receive.getTargetTCPPose(), receive.getActualTCPPose(), atol=1e-3)
    np.testing.assert_allclose(receive.getPayloadCog(), [0.003, -0.002, 0.06])
    # the tool's weight, and the sensor's bias
    assert np.linalg.norm(receive.getFtRawWrench()[:3]) == pytest.approx(4.9, abs=3.0)
    assert receive.getRuntimeState() in (1, 2) and receive.getSafetyStatusBits() == 1
    words = [word for word in dir(receive) if word.startswith(("getActual", "getTarget", "getJ"))]
    for word in words:
        assert np.isfinite(getattr(receive, word)()).all(), word
