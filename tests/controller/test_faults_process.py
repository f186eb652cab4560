"""Faults that need a controller in a process of its own, under the real-time clock."""

import os
import pty
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from pliant.api.arm import Arm
from pliant.reasons import State
from pliant.stages.supervisor import read_text
from pliant.tasks.insertion import Insertion

HANGS = 120.0
"""After this long, s, whatever is waited for will not come."""

PATIENT = {"safety": {"lateness": 60.0}}
"""However busy the machine, the arm does not stop."""

READER = """
import sys
from pathlib import Path
from pliant.ring.ring import RingReader
ring = RingReader(Path(sys.argv[1]))
print("reading", flush=True)
while True:
    ring.rewind()
    for row in ring.ticks():
        pass
"""

PROGRAM = """
import pliant
arm = pliant.Arm("sim:ur5e", clock="real", config={"safety": {"lateness": 60.0}})
arm.zero()
arm.activate("position")
arm.move_by([0, 0.2, 0, 0, 0, 0], wait=False)
arm.wait(0.5)
print("moving", flush=True)
arm.wait(60)
"""


def everything(ring) -> np.ndarray:
    """All ticks that a ring still has, and may yet get, until its writer has ended."""
    rows = []
    deadline = time.monotonic() + HANGS
    ring.rewind()
    while True:
        ended = ring.ended
        rows += [row.copy() for row in ring.ticks()]
        if ended:
            return np.concatenate(rows)
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_unread_output_a_flood_and_a_reader_killed_in_mid_read_hurt_nobody(
    control, folder, connect, stopped_well
):
    process = control()
    ring = process.ready(folder)
    reader = subprocess.Popen(
        [sys.executable, "-c", READER, folder / "c.ring"], stdout=subprocess.PIPE
    )
    assert reader.stdout and reader.stdout.readline() == b"reading\n"
    commander, flooder = connect(), connect()
    assert commander.ask("RELD 0 0.25 0 0 0 0").startswith("OK moving")
    flooder.socket.setblocking(False)
    bytes_sent, start = 0, ring.published
    deadline = time.monotonic() + HANGS
    while bytes_sent < 200_000 or ring.published < start + 1000:
        assert time.monotonic() < deadline
        try:
            bytes_sent += flooder.socket.send(b"HOLD\nnonsense\n" * 1000)
        except BlockingIOError:
            time.sleep(0.01)
    reader.kill()
    reader.communicate()
    assert commander.ask("STATE").startswith("OK state=ACTIVE")
    asked = ring.latest()["time"].item()
    assert commander.ask("STOP") == "OK stopping"
    rows = everything(ring)
    assert rows["time"][-1] - asked < 5.0
    status, said, _ = process.end()
    assert status == 0
    assert said[-1] == "END stopped as asked"
    assert ring.missed == 0
    stopped_well(rows)


@pytest.mark.parametrize("turns", [10, pytest.param(100, marks=pytest.mark.long)])
def test_thousands_of_lines_with_the_output_never_read(turns, control, folder, connect):
    process = control("--fast")
    process.ready(folder)
    client = connect()
    held = memory(process.popen.pid)
    answered = 0
    some = "STATE\nRELD 0 0 0 0 0 0\nnonsense\nSET wrench.cutoff 30\nGET laws\n"
    for _ in range(turns):
        client.send((some + "PING\n" * 95) * 10)
        replies = [client.reply() for _ in range(1000)]
        answered += len(replies)
        assert all(reply.startswith(("OK ", "ERR ")) for reply in replies)
    assert answered == 1000 * turns
    grown = memory(process.popen.pid) - held
    assert client.ask("STOP") == "OK stopping"
    status, _, _ = process.end()
    assert status == 0
    assert grown < 8e6


def memory(pid: int) -> int:
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_a_program_that_is_killed_leaves_an_arm_at_rest(folder, stopped_well):
    program = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE)
    assert program.stdout and program.stdout.readline() == b"moving\n"
    with Arm("attach") as watcher:
        ring = watcher._session._ring
        program.kill()
        program.communicate()
        rows = everything(ring)
    stopped_well(rows)
    assert read_text(rows[-1:]) in ("the client in control is gone", "standard input was closed")
    gone(folder)


def gone(folder) -> None:
    deadline = time.monotonic() + HANGS
    while any(folder.iterdir()):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_killed_controller_is_cleaned_up_after_by_the_next(control, folder, connect):
    process = control(name="first")
    process.ready(folder)
    client = connect("first")
    process.popen.kill()
    process.popen.wait()
    with pytest.raises((EOFError, OSError)):
        client.ask("STATE")
    assert sorted(path.name for path in folder.iterdir()) == ["first.ring", "first.sock"]
    status, said, told = control("--time", "0.1", name="second").end()
    assert status == 0
    assert said[-1] == "END the time is over"
    assert "removed what the controller first left behind" in told


def test_an_attached_arm_notices_that_the_controller_was_killed(control, folder):
    process = control()
    process.ready(folder)
    with Arm("attach:c") as arm:
        arm.wait(0.1)
        process.popen.kill()
        process.popen.wait()
        with pytest.raises(Exception, match="the controller has ended"):
            arm.wait(1e6)
        with pytest.raises(Exception, match="the controller"):
            arm.hold()
    with pytest.raises(Exception, match="unknown controller"):
        Arm("attach:c")


def test_a_terminal_that_nobody_reads(control, folder, connect):
    ours, theirs = pty.openpty()
    process = control("--fast", "--time", "60", stdin=theirs, stdout=theirs)
    os.close(theirs)
    status = process.popen.wait(HANGS)
    os.close(ours)
    assert status == 0


def test_a_terminal_that_is_closed(control, folder):
    ours, theirs = pty.openpty()
    process = control(stdin=theirs, stdout=theirs)
    os.close(theirs)
    process.ready(folder)
    os.close(ours)
    assert process.end()[0] == 3


@pytest.mark.parametrize("wait", [0.3, 1.2])
def test_a_signal_before_the_loop_runs_leaves_nothing(wait, control, folder):
    process = control()
    time.sleep(wait)
    process.popen.send_signal(signal.SIGTERM)
    status, _, told = process.end()
    assert status in (143, -signal.SIGTERM)
    assert "Traceback" not in told


@pytest.mark.long
def test_insertion_in_real_time_through_the_controller(folder):
    config = PATIENT | {"sim": {"scene": {"kind": "peg", "offset": (0.0006, 0.0008)}}}
    with Arm("sim:ur5e/peg", clock="real", config=config, history=300.0) as arm:
        result = Insertion(arm).run()
        assert arm._session._ring.missed == 0
        assert arm.state in (State.ACTIVE, State.INACTIVE)
    assert result.seated
    assert result.peak_force_n < 15.0
