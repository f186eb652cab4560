"""`Arm` on a controller process."""

import os
import signal
import subprocess
import threading

import numpy as np
import pytest

from pliant import commands
from pliant.api.arm import Arm
from pliant.api.remote_session import RemoteSession, start_session
from pliant.arms.description import load_arm
from pliant.config import Config
from pliant.controller import launch
from pliant.controller.launch import launch_controller
from pliant.controller.options import ControlOptions
from pliant.errors import ArmStopped, PliantError, Refused
from pliant.reasons import State
from pliant.ring.discovery import find_controllers
from pliant.ring.runtime_folder import ProcessId

PATIENT = {"safety": {"lateness": 60.0}}
"""However busy the machine, the arm does not stop."""

NOBODY = 2**22 + 1
"""A process number that the system never gives."""


def test_the_arm_of_a_process_is_used_like_any_other(folder):
    with Arm("sim:ur5e", clock="real", config=PATIENT) as arm:
        arm.zero()
        arm.activate("hybrid_admittance")
        arm.law.set(damping=[500.0] * 3 + [15.0] * 3)
        assert arm.get("laws.hybrid_admittance.damping")[0] == 500.0
        assert arm.set_wrench([0, 0, -50, 0, 0, 0])[2] == -20.0
        # a value, not what a person reads: the text has six digits
        assert arm.set_wrench([0, 0, -1.23456789, 0, 0, 0])[2] == -1.23456789
        arm.set("safety.contact_force", float("inf"))
        assert arm.config.safety.contact_force == float("inf")
        with pytest.raises(Refused, match="unknown parameter"):
            arm.set("wrench.nonsense", 1)
        with Arm("attach") as other:
            assert other.laws == arm.laws
            with pytest.raises(Refused, match="is in control"):
                other.hold()
        y = arm.tick.X_WT[1]
        arm.move_by([0, 0.02, 0, 0, 0, 0], wait=False)
        arm.wait_until(lambda tick: tick.X_WT[1] > y + 0.0195)
        interrupted_ask(arm)
        assert arm.get("wrench.cutoff") == 30.0
        name = find_controllers()[0]
        arm._session._child.process.send_signal(signal.SIGKILL)
        with pytest.raises(ArmStopped):
            arm.wait(1e6)
    # a second time changes nothing
    arm.close()
    assert find_controllers() == []
    with pytest.raises(PliantError):
        RemoteSession(name, 1.0)


def interrupted_ask(arm: Arm) -> None:
    """A reply that nobody waited for must not be taken for the next one."""
    session = arm._session
    connection = session._connection
    real = connection._replies

    def interrupted():
        connection._replies = real
        raise KeyboardInterrupt

    connection._replies = type("Broken", (), {"readline": staticmethod(interrupted)})()
    with pytest.raises(KeyboardInterrupt):
        session._ask(commands.GetParameter(path="tool.mass"))
    session._config = None
    assert connection._replies is real


def test_an_exception_in_the_program_stops_the_arm(folder):
    with pytest.raises(ZeroDivisionError), Arm("sim:ur5e", clock="real", config=PATIENT) as arm:
        ring = arm._session._ring
        raise ZeroDivisionError
    assert ring.ended
    row = ring.latest()
    assert row is not None and row["state"].item() == State.INACTIVE
    assert find_controllers() == []


def test_an_exception_in_a_program_that_attached_brings_the_arm_to_rest(folder):
    with Arm("sim:ur5e", clock="real", config=PATIENT) as arm:
        arm._session._connection.send(commands.Lease(action="release"))
        with pytest.raises(ZeroDivisionError), Arm("attach") as other:
            other.move_by([0, 0, 0.2, 0, 0, 0], speed=0.02, wait=False)
            other.wait(0.5)
            raise ZeroDivisionError
        arm.wait_until(lambda tick: tick.state == State.INACTIVE, 1e6)
        assert "the client in control is gone" in arm.reason
        assert arm.tick.X_WT[2] < arm.history["X_WT"][0, 2] + 0.05


def test_a_controller_that_cannot_start_says_why(folder):
    config = Config().replace("sim.q_start", (0.0, 0.0))
    with pytest.raises(PliantError, match="the controller did not start: q_start needs 6 numbers"):
        start_session("sim:ur5e", config, (), 1.0, flight=False)


def test_a_controller_that_dies_while_starting_says_so(folder):
    options = ControlOptions(robot="sim:ur5e", name="dies")
    child = launch_controller(options, Config(), stdin=subprocess.PIPE)
    child.process.kill()
    with pytest.raises(PliantError, match="it ended without a word"):
        child.wait_ready(60.0)
    child.process.wait()


def test_a_process_is_known_by_when_it_started():
    me = ProcessId.of(os.getpid())
    assert me and me.alive
    assert not ProcessId(pid=me.pid, started=me.started + 1).alive
    assert ProcessId.of(NOBODY) is None


def test_close_does_not_wait_for_a_controller_that_hangs(folder, monkeypatch):
    monkeypatch.setattr(launch, "_STOP_TIMEOUT", 0.5)
    arm = Arm("sim:ur5e", clock="real", config=PATIENT)
    process = arm._session._child.process
    process.send_signal(signal.SIGSTOP)
    closing = threading.Thread(target=arm.close)
    closing.start()
    closing.join(60.0)
    assert not closing.is_alive()
    assert process.returncode == -signal.SIGKILL


def test_motions_come_from_the_folders_that_the_program_chose(folder, tmp_path) -> None:
    allowed, elsewhere = tmp_path / "allowed", tmp_path / "elsewhere.csv"
    allowed.mkdir()
    home = load_arm("panda").home
    for file in (allowed / "a.csv", elsewhere):
        np.savetxt(file, [[t, *home] for t in (0.0, 0.5, 1.0)], delimiter=",")
    with Arm("sim:panda", clock="real", config=PATIENT, motions=[allowed]) as arm:
        arm.set("reference.playback.file", str(allowed / "a.csv"))
        assert arm.get("reference.playback.file") == str(allowed / "a.csv")
        with pytest.raises(Refused, match=f"outside the folders .*: {allowed}"):
            arm.set("reference.playback.file", str(elsewhere))
        assert arm.get("reference.playback.file") == str(allowed / "a.csv")
