"""Motions are read beside the loop, from the folders that the operator chose."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant.arms.description import load_arm
from pliant.controller import motion_loader as module
from pliant.controller.exit_reason import ExitReason
from pliant.controller.motion_loader import MotionLoader, motion_folders
from pliant.controller.motion_program import confined
from pliant.controller.startup import Start
from pliant.errors import ConfigError
from pliant.recording.recomputation import recompute

PANDA = load_arm("panda")


def motion(path: Path) -> Path:
    """A small motion about the home of the arm."""
    time = np.arange(0.0, 1.0, 0.01)
    q = np.array(PANDA.home) + 0.02 * np.sin(3.0 * time)[:, None]
    np.savetxt(path, np.column_stack([time, q]), delimiter=",", fmt="%.9g")
    return path


@pytest.fixture
def motions(tmp_path: Path) -> Path:
    """A folder of motions, with much in it that is none."""
    path = tmp_path / "motions"
    path.mkdir()
    motion(path / "good.csv")
    motion(tmp_path / "elsewhere.csv")
    os.mkfifo(path / "pipe.csv")
    (path / "link.csv").symlink_to(tmp_path / "elsewhere.csv")
    (path / "null.csv").symlink_to("/dev/zero")
    (path / "bag").mkdir()
    os.mkfifo(path / "bag" / "metadata.yaml")
    (path / "text.csv").write_text("time,q_0\n0,x\n")
    with (path / "huge.csv").open("wb") as file:
        file.truncate(1 << 40)
    return path


@pytest.fixture
def panda(rig, motions):
    """A controller of an arm at rest that reads motions."""
    loader = MotionLoader("sim:panda", [motions])
    return rig(spec="sim:panda", start=Start(law=None, loader=loader))


class Conversation:
    """Lines said to a controller one after the other, each when the last was answered."""

    def __init__(self, rig, client, lines: list[str]) -> None:
        self.replies: list[str] = []
        self.ticks: list[int] = []
        self._lines, self._rig = lines, rig

        def talk() -> None:
            for line in lines:
                self.replies.append(client.ask(line))
                self.ticks.append(len(rig._rows))

        self._thread = threading.Thread(target=talk)
        rig.at(0.5, self._thread.start)

    def join(self) -> list[str]:
        self._thread.join()
        return self.replies


def test_a_motion_is_read_and_played(panda, connect, motions):
    lines = [f"SET reference.playback.file {motions / 'good.csv'}", "PRESET playback", "STOP"]
    talk = Conversation(panda, connect(), lines)
    assert panda.run(1e4) is ExitReason.STOPPED
    assert talk.join()[:2] == [
        "OK reference.playback.file set",
        "OK preset playback: pd_gravity active; playback begun, the arm moves",
    ]
    assert panda.loop.supervisor.reference.motion.file == str(motions / "good.csv")


BAD = {
    "pipe.csv": "is not a regular file",
    "null.csv": "/dev/zero is outside the folders",
    "link.csv": "elsewhere.csv is outside the folders that motions are read from: ",
    "../elsewhere.csv": "start the controller with --motions FOLDER",
    "/etc/passwd": "/etc/passwd is outside the folders",
    "bag": "is not a regular file",
    "huge.csv": "has 1099511627776 bytes, more than",
    "text.csv": "line 2: 'x' is no number",
    "nothing.csv": "there is no file",
}


def test_what_is_no_motion_is_refused_while_the_ticks_go_on(panda, connect, motions):
    lines = [f"SET reference.playback.file {motions / name}" for name in BAD]
    talk = Conversation(panda, connect(), [*lines, "GET reference.playback.file", "STOP"])
    assert panda.run(1e4) is ExitReason.STOPPED
    replies = talk.join()
    for reply, expected in zip(replies, BAD.values(), strict=False):
        assert reply.startswith("ERR"), reply
        assert expected in reply
    assert replies[-2] == "OK null"
    assert (np.diff(talk.ticks[: len(BAD)]) > 10).all(), "the loop stood still"
    assert (np.diff(panda.rows["k"]) == 1).all()


def test_no_file_is_opened_in_the_thread_of_the_loop(panda, connect, motions):
    opened: list[tuple[str, str]] = []
    sys.addaudithook(
        lambda event, args: (
            opened.append((threading.current_thread().name, str(args[0])))
            if event == "open" and watching
            else None
        )
    )
    watching = [True]
    talk = Conversation(
        panda, connect(), [f"SET reference.playback.file {motions / 'good.csv'}", "STOP"]
    )
    panda.run(1e4)
    watching.clear()
    assert talk.join()[0].startswith("OK")
    assert [path for name, path in opened if name == "MainThread" and ".csv" in path] == []


class Hanging:
    """A process that never answers, as one that reads from a network path that hangs."""

    def __init__(self, *_: object, **__: object) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=-1, stdout=-1)

    def send(self, _: object) -> None:
        """Nothing is read."""

    def poll(self) -> None:
        """Nothing comes."""

    def close(self) -> None:
        self.process.stdin.close()


def test_others_are_served_while_a_file_system_hangs(panda, connect, motions, monkeypatch):
    monkeypatch.setattr(module, "Child", Hanging)
    waiting, other, replies = connect(), connect(), []

    def talk() -> None:
        waiting.send(f"SET reference.playback.file {motions / 'good.csv'}\nPING\nHOLD\n")
        replies.extend(other.ask(line) for line in ("PING", "STATE", "GET wrench.cutoff", "STOP"))

    panda.at(0.5, lambda: threading.Thread(target=talk).start())
    assert panda.run(1e4) is ExitReason.STOPPED
    assert [reply[:2] for reply in replies] == ["OK"] * 4
    assert waiting.reply() == "ERR the motion was not read: the controller is stopping"
    assert waiting.reply() == "OK pong"
    assert waiting.reply().startswith("ERR the controller is stopping")


def test_reading_takes_no_longer_than_its_limit(panda, connect, motions, monkeypatch):
    monkeypatch.setattr(module, "Child", Hanging)
    monkeypatch.setattr(module, "LONGEST", 1.0)
    lines = ["WATCHDOG 2", f"SET reference.playback.file {motions / 'good.csv'}", "STOP"]
    talk = Conversation(panda, connect(), lines)
    # the watchdog does not count the time in which the client waits for its reply
    assert panda.run(1e5) is ExitReason.STOPPED
    assert "was not read within 1 s" in talk.join()[1]


def test_the_motion_of_a_client_that_left_is_forgotten(panda, connect, motions, monkeypatch):
    monkeypatch.setattr(module, "Child", Hanging)
    waiting, other, replies = connect(), connect(), []

    def talk() -> None:
        waiting.send(f"SET reference.playback.file {motions / 'good.csv'}\n")
        replies.append(other.ask("PING"))
        waiting.close()
        deadline = time.monotonic() + 60.0
        while other.ask("LEASE take") != "OK client-2 is in control":
            assert time.monotonic() < deadline
        replies.append(other.ask("STOP"))

    panda.at(0.5, lambda: threading.Thread(target=talk).start())
    assert panda.run(1e5) is ExitReason.STOPPED


def test_a_recorded_run_with_a_motion_is_recomputed_bit_for_bit(folder, motions, tmp_path):
    file = tmp_path / "played.mcap"
    lines = (
        f"SET reference.playback.file {motions / 'good.csv'}",
        "PRESET playback",
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "pliant.cli", "control", "--robot", "sim:panda", "--fast",
         "--inactive", "--motions", str(motions), "--record", str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    assert process.stdin and process.stdout
    for line in lines:
        process.stdin.write(line + "\n")
        process.stdin.flush()
        reply = next(said for said in process.stdout if said.startswith(("OK", "ERR")))
        assert reply.startswith("OK"), reply
    # about a hundred times as long in simulated time
    time.sleep(0.5)
    process.communicate("STOP\n")
    recording = pliant.load(file)
    assert (recording["ref_rate"] > 0.0).any()
    start = int(np.argmax(recording["ref_kind"] > 0)) - 5
    result = recompute(recording, recording["k"][start].item())
    assert result.difference is None
    assert result.refused == ()


def test_a_path_is_confined_whatever_it_looks_like(motions, monkeypatch):
    monkeypatch.chdir(motions)
    assert confined("good.csv", [motions]) == motions / "good.csv"
    assert confined("bag/../good.csv", [motions]) == motions / "good.csv"
    for name in ("../elsewhere.csv", "link.csv", "/", "~", "~nobody-here/x", "a\0b", "x" * 5000):
        with pytest.raises(ConfigError):
            confined(name, [motions])
    with pytest.raises(ConfigError, match="no folder"):
        confined("good.csv", [])


def test_by_default_motions_come_from_where_it_was_started_and_from_recordings(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLIANT_FLIGHT_DIR", str(tmp_path / "flights"))
    record = tmp_path / "records" / "a.mcap"
    here = motion_folders((), record)
    assert here == (tmp_path, tmp_path / "records", tmp_path / "flights")
    assert motion_folders((Path("m"),), record) == (tmp_path / "m",)
    monkeypatch.chdir("/")
    assert Path("/") not in motion_folders((), None)
