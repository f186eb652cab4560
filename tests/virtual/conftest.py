"""ur_rtde on a virtual UR above a table, one for all tests of a file."""

import pytest
import rtde_control
import rtde_receive

from tests.virtual_arms import virtual_arm

from .arm_time import until
from .tool_at_table import TCP, zeroed


@pytest.fixture(scope="module")
def arm():
    with virtual_arm("ur5e/table") as arm:
        yield arm


@pytest.fixture(scope="module")
def receive(arm):
    receive = rtde_receive.RTDEReceiveInterface(arm.host)
    yield receive
    receive.disconnect()


@pytest.fixture(scope="module")
def start(receive):
    return receive.getActualQ()


@pytest.fixture(scope="module")
def connection(arm, start):
    control = rtde_control.RTDEControlInterface(arm.host)
    yield control
    control.stopScript()
    control.disconnect()


@pytest.fixture
def control(connection, receive, start):
    """The arm at its start, with its program running."""
    if not connection.isProgramRunning():
        # clears the command, which the new program would obey at once
        connection.stopScript()
        assert connection.reuploadScript()
        until(connection.isProgramRunning, receive)
    assert connection.setTcp(TCP)
    assert connection.moveJ(start, 3.0, 10.0)
    zeroed(connection, receive)
    return connection
