"""The guardian on an arm that keeps moving, and what is said when it, or what it watches, ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from pliant.api.arm import Arm
from pliant.controller.guardian import Guardian
from pliant.controller.tick_silence import RealSilence
from pliant.errors import ArmStopped
from pliant.recording import load
from pliant.ring.guardian_page import GuardianPage

from ..guardian_trials import (
    HANGS,
    MISDEEDS,
    TRIGGER,
    ask,
    calm,
    controller,
    spoken,
    stub_arm,
    trial,
)


@pytest.mark.parametrize("misdeed", [each for each in MISDEEDS if each != "out of memory"])
def test_an_arm_that_keeps_moving_is_stopped(misdeed: str, tmp_path: Path) -> None:
    outcome = trial(misdeed, tmp_path)
    assert outcome.rests
    assert outcome.status == -signal.SIGKILL
    assert "stopped the arm by its own means" in outcome.said
    if misdeed != "killed":
        assert max(outcome.lapse, outcome.worst) > TRIGGER - 0.001
        assert "(limit 20 ms): the guardian ended the controller and stopped" in outcome.said


def test_an_arm_rests_when_memory_runs_out(tmp_path: Path) -> None:
    outcome = trial("out of memory", tmp_path)
    assert outcome.rests


class Page:
    """The counters of a controller that has not released its arm."""

    ticks, release, stamp, written = 100, 0, 0.0, ""

    def write(self, text: str) -> None:
        """Keep the last word."""
        self.written = text


class Stopper:
    """Counts its stops."""

    stops = 0

    def stop(self) -> None:
        """Count."""
        self.stops += 1


def test_a_controller_that_died_is_noticed_long_before_it_was_silent_for_too_long() -> None:
    with subprocess.Popen(["sleep", "600"]) as process:
        page, stopper, died = Page(), Stopper(), os.pidfd_open(process.pid)
        process.kill()
        said = Guardian(cast(GuardianPage, page), died, 600.0, RealSilence(), stopper).watch()
        os.close(died)
    assert said.startswith("the controller died without a last word, after tick 99")
    assert page.written == said
    assert stopper.stops == 1


def test_without_a_stop_of_its_own_the_connection_drops(tmp_path: Path) -> None:
    with (
        stub_arm() as port,
        controller(port, tmp_path, "never returns", "UnstoppableRobot") as process,
    ):
        assert process.wait(HANGS) == -signal.SIGKILL
        said, noted = spoken(*process.communicate()), ask(port)
    assert "dropped" in noted and "lapse" not in noted
    assert said.endswith("(limit 20 ms): the guardian ended the controller")


@pytest.mark.long
def test_no_false_stop_on_a_busy_machine(tmp_path: Path) -> None:
    outcome = calm(10.0, 4, tmp_path)
    assert outcome.rests
    assert not outcome.false_stop, outcome
    # set points that did not come in time for another reason, such as other programs in real time
    assert outcome.status == 0 or outcome.worst > TRIGGER, outcome


def test_a_real_arm_does_not_start_without_a_guardian(tmp_path: Path) -> None:
    with stub_arm() as port:
        with controller(port, tmp_path, "", "FailingRobot") as process:
            status, said = process.wait(HANGS), spoken(*process.communicate())
        assert status == 1
        assert "no guardian, which a real arm needs: nobody answers at the dashboard" in said
        with controller(port, tmp_path, "", "StubRobot", "--no-guardian") as process:
            status, said = process.wait(HANGS), spoken(*process.communicate())
        assert status == 1
        assert "a real arm does not run without a guardian" in said
        assert "set_point" not in ask(port)


def beside(pid: int, program: str) -> int:
    """The process that a controller started as a program."""
    deadline = time.monotonic() + HANGS
    while time.monotonic() < deadline:
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            arguments = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
            if program.encode() in arguments:
                return int(child)
        time.sleep(0.01)
    raise AssertionError(f"no {program}")


def moves(process: subprocess.Popen, port: int) -> bool:
    """Wait until the arm moves; False if its controller was stopped before, on a busy machine."""
    deadline = time.monotonic() + HANGS
    while process.poll() is None:
        if np.any(ask(port)["qd"]):
            return True
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return False


def test_a_real_arm_comes_to_rest_when_its_guardian_dies(tmp_path: Path) -> None:
    said = ""
    for _ in range(10):
        with stub_arm() as port, controller(port, tmp_path) as process:
            if not moves(process, port):
                continue
            os.kill(beside(process.pid, "guardian"), signal.SIGKILL)
            status = process.wait(HANGS)
            said, noted = spoken(*process.communicate()), ask(port)
            break
    assert status == 7
    assert not np.any(noted["qd"])
    assert "EVENT the guardian was killed by SIGKILL: nobody would stop the arm" in said
    assert "END the guardian has ended, and a real arm does not run without one" in said


def test_the_end_of_a_simulated_arms_guardian_is_said(control, folder) -> None:
    process = control()
    ring = process.ready(folder)
    os.kill(beside(process.popen.pid, "guardian"), signal.SIGKILL)
    said = []
    while not any("guardian" in line for line in said):
        said.append(process.reply())
        assert said[-1], "it ended"
    assert said[-1].startswith("EVENT the guardian was killed by SIGKILL: nobody would stop")
    ring.rewind()
    assert any(said[-1] == f"EVENT {line.text}" for line in ring.lines())
    assert process.ask("STOP") == "OK stopping"
    assert process.end()[0] == 0


def test_signals_that_end_programs_do_not_end_a_guardian(control, folder) -> None:
    process = control()
    process.ready(folder)
    guardian = beside(process.popen.pid, "guardian")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        os.kill(guardian, number)
    process.popen.send_signal(signal.SIGSTOP)
    status, _, told = process.end()
    assert status == -signal.SIGKILL
    assert "(limit 100 ms): the guardian ended the controller" in told
    (folder / "c.ring").unlink()
    (folder / "c.sock").unlink()


def test_what_the_guardian_says_reaches_a_program_and_the_flight_recording(
    control, folder, tmp_path, monkeypatch
) -> None:
    monkeypatch.setenv("PLIANT_FLIGHT_DIR", str(tmp_path / "flights"))
    process = control()
    process.ready(folder)
    with Arm("attach:c") as arm:
        arm.wait(0.1)
        process.popen.send_signal(signal.SIGSTOP)
        with pytest.raises(ArmStopped, match=r"no tick for \d+ ms \(limit 100 ms\): the guardian"):
            arm.wait(1e6)
    status, _, told = process.end()
    assert status == -signal.SIGKILL
    (flight,) = (tmp_path / "flights").iterdir()
    assert load(flight).header["fault"].startswith("no tick for")
    assert len(load(flight)) > 10
    assert f"flight recording: {flight}" in told
    with pytest.raises(Exception, match="unknown controller"):
        Arm("attach:c")


def test_a_flight_is_saved_after_a_kill(control, folder, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("PLIANT_FLIGHT_DIR", str(tmp_path / "flights"))
    process = control()
    process.ready(folder)
    process.popen.kill()
    status, _, told = process.end()
    assert status == -signal.SIGKILL
    (flight,) = (tmp_path / "flights").iterdir()
    assert f"flight recording: {flight}" in told
    assert len(load(flight)) > 10
    (folder / "c.ring").unlink()
    (folder / "c.sock").unlink()


def test_the_end_of_a_recorder_is_said_at_once_and_in_the_exit_status(
    control, folder, tmp_path
) -> None:
    process = control("--record", str(tmp_path / "a.mcap"))
    ring = process.ready(folder)
    os.kill(beside(process.popen.pid, "recorder"), signal.SIGKILL)
    said = [process.reply()]
    while "recorder" not in said[-1]:
        said.append(process.reply())
        assert said[-1], "it ended"
    lost = "the recorder was killed by SIGKILL: nothing is recorded from here on"
    assert said[-1] == f"EVENT {lost}"
    ring.rewind()
    assert lost in [line.text for line in ring.lines() if line.kind == "event"]
    assert process.ask("STOP") == "OK stopping"
    assert process.reply() == f"END stopped as asked; {lost}"
    assert process.end()[0] == 6


def test_a_guardian_needs_almost_nothing() -> None:
    code = "import sys, pliant.controller.guardian_program; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    assert not {b"numpy", b"numba", b"mujoco", b"pinocchio", b"pydantic"} & set(loaded.split())
