"""The sentences of a Franka arm, and who is refused."""

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pliant.arms.franka_status import FrankaStatus
from pliant.arms.robot_status import UrStatus, status_text
from pliant.controller.arm_config import configure
from pliant.errors import ConfigError, PliantError
from pliant.reasons import Reason
from pliant.robots.registry import has_stopper, open_robot
from tests.virtual_arms import new_host

FITS = 120
REALTIME = Path("/sys/kernel/realtime")


@pytest.mark.parametrize("status", FrankaStatus)
def test_a_sentence_fits_and_names_the_way_out(status: FrankaStatus) -> None:
    assert status_text(status) == status.text
    if status is not FrankaStatus.FOLLOWS:
        assert len(f"{Reason.ROBOT.text}: {status.text}".encode()) <= FITS
        assert "reset" in status.text
        assert status not in set(UrStatus)


OTHER = """
import socket, struct, sys
with socket.create_server((sys.argv[1], 1337)) as server:
    print("ready", flush=True)
    client, _ = server.accept()
    command, number, _ = struct.unpack("<III", client.recv(12, socket.MSG_WAITALL))
    client.recv(4, socket.MSG_WAITALL)
    client.sendall(struct.pack("<IIIBH5x", command, number, 20, 1, int(sys.argv[2])))
    client.recv(1)
"""
"""What an arm of another version answers: which it is. In a process of its own, because libfranka
holds Python's lock while it waits."""


@pytest.mark.parametrize(
    ("version", "text"),
    [(5, r"version 5, so it is a Panda \(FER\)"), (9, "version 9, and pylibfranka version 10")],
)
def test_an_arm_of_another_version_is_refused_with_the_reason(version: int, text: str) -> None:
    host = new_host()
    command = [sys.executable, "-c", OTHER, host, str(version)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "ready\n"
        with pytest.raises(ConfigError, match=text):
            connect(host)


def test_nobody_there() -> None:
    with pytest.raises(PliantError, match=r"no FCI answers at .*activate FCI in Desk"):
        connect(new_host())


def test_a_kernel_without_realtime_is_refused_where_it_is_enforced() -> None:
    if REALTIME.exists():
        pytest.skip("this kernel has PREEMPT_RT")
    host = new_host()
    with (
        socket.create_server((host, 1337)),
        pytest.raises(PliantError, match=r"PREEMPT_RT.*franka\.realtime: ignore"),
    ):
        connect(host, {"franka": {"realtime": "enforce"}})


def test_what_a_spec_must_have() -> None:
    with pytest.raises(ConfigError, match=r"franka:172\.16\.0\.2"):
        connect("")
    config = configure("franka:127.0.0.9", None, None)
    with pytest.raises(ConfigError, match="1000 Hz"):
        open_robot("franka:127.0.0.9", config, 500.0)
    # only one program may be connected: the guardian can end the controller, no more
    assert not has_stopper("franka:127.0.0.9")


def connect(host: str, settings: dict[str, Any] | None = None) -> None:
    spec = f"franka:{host}"
    open_robot(spec, configure(spec, settings, None)).connect()
