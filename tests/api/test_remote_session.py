"""`Arm` on a controller process."""

import os
import signal
import threading

import pytest

from pliant.api import remote_session as client
from pliant.api.arm import Arm
from pliant.api.remote_session import RemoteSession, find_controllers
from pliant.errors import ArmStopped, PliantError, Refused
from pliant.ring.ring import RingWriter
from pliant.ring.runtime_folder import ProcessId, clean_up
from pliant.stages.supervisor import State

PATIENT = {"safety": {"lateness": 1000.0}}
"""However busy the machine, the arm does not stop."""

NOBODY = 2**22 + 1
"""A process number that the system never gives."""


def test_the_arm_of_a_process_is_used_like_any_other(folder):
    with Arm("sim:ur5e", clock="real", config=PATIENT) as arm:
        arm.zero()
        arm.activate("hybrid_admittance")
        arm.set_gains(damping=[500.0] * 3 + [15.0] * 3)
        assert arm.get("laws.hybrid_admittance.damping")[0] == 500.0
        assert arm.set_wrench([0, 0, -50, 0, 0, 0])[2] == -20.0
        arm.set("safety.contact_force", float("inf"))
        assert arm.config.safety.contact_force == float("inf")
        with pytest.raises(Refused, match="unknown parameter"):
            arm.set("wrench.nonsense", 1)
        with Arm("attach") as other:
            assert other.laws == arm.laws
            with pytest.raises(Refused, match="is in control"):
                other.hold()
        y = arm.tick.X_WT[1]
        arm.move_by([0, 0.02, 0, 0, 0, 0])
        arm.wait_until(lambda tick: tick.X_WT[1] > y + 0.0195)
        interrupted_ask(arm)
        assert arm.get("wrench.cutoff") == 30.0
        name = find_controllers()[0]
        arm._session._process.send_signal(signal.SIGKILL)
        with pytest.raises(ArmStopped):
            arm.wait(1e6)
    # a second time changes nothing
    arm.close()
    assert find_controllers() == []
    with pytest.raises(PliantError):
        RemoteSession(name, 1.0)


def interrupted_ask(arm: Arm) -> None:
    """A reply that nobody waited for must not be taken for the next one's."""
    session = arm._session
    readline = session._replies.readline

    def interrupted():
        session._replies = real
        raise KeyboardInterrupt

    real = session._replies
    session._replies = type("Broken", (), {"readline": staticmethod(interrupted)})()
    with pytest.raises(KeyboardInterrupt):
        session._ask("GET tool.mass")
    session._config = None
    assert session._replies.readline == readline


def test_an_exception_in_the_program_stops_the_arm(folder):
    with pytest.raises(ZeroDivisionError), Arm("sim:ur5e", clock="real", config=PATIENT) as arm:
        ring = arm._session._ring
        raise ZeroDivisionError
    assert ring.ended
    row = ring.latest()
    assert row is not None and row["state"].item() == State.INACTIVE
    assert find_controllers() == []


def test_a_controller_that_cannot_start_says_why(folder):
    with pytest.raises(PliantError, match=r"the controller did not start: pliant: wrench.cutoff"):
        client.start_controller("sim:ur5e", broken_config())


def broken_config():
    class Broken:
        def to_yaml(self) -> str:
            return "wrench: {cutoff: -1}"

    return Broken()


def test_clean_up_removes_what_the_dead_left_and_nothing_else(folder):
    alive = {"pid": os.getpid(), "started": ProcessId.of(os.getpid()).started}
    RingWriter(folder / "alive.ring", 6, 4, alive)
    RingWriter(folder / "dead.ring", 6, 4, alive | {"started": 1})
    for name in ("dead.sock", "alive.sock", "other.ring", f"half.{NOBODY}", f"new.{os.getpid()}"):
        (folder / name).write_bytes(b"of another version")
    assert clean_up() == ["dead"]
    assert find_controllers() == ["alive"]
    left = sorted(folder.iterdir())
    for path in left:
        path.unlink()
    assert [path.name for path in left] == sorted(
        ["alive.ring", "alive.sock", f"new.{os.getpid()}", "other.ring"]
    )


def test_a_process_is_known_by_when_it_started():
    me = ProcessId.of(os.getpid())
    assert me and me.alive
    assert not ProcessId(pid=me.pid, started=me.started + 1).alive
    assert ProcessId.of(NOBODY) is None


def test_close_does_not_wait_for_a_controller_that_hangs(folder, monkeypatch):
    monkeypatch.setattr(client, "_STOP_TIMEOUT", 0.5)
    arm = Arm("sim:ur5e", clock="real", config=PATIENT)
    process = arm._session._process
    process.send_signal(signal.SIGSTOP)
    closing = threading.Thread(target=arm.close)
    closing.start()
    closing.join(60.0)
    assert not closing.is_alive()
    assert process.returncode == -signal.SIGKILL
