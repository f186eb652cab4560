import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from pliant.config import Config
from pliant.errors import RecordingError
from pliant.recording import load
from pliant.recording.recorder_process import RecorderProcess
from pliant.ring.ring import RingWriter
from pliant.ring.runtime_folder import ProcessId
from pliant.stages.supervisor import State, write_text
from pliant.tick import LAW_STATE_SIZE, new_rows

DT = 0.001


class Pretended:
    """A controller as far as others can see: a ring in which ticks and lines appear."""

    def __init__(self, folder: Path, depth: int = 12_000) -> None:
        me = ProcessId.of(os.getpid())
        assert me is not None
        about = {"spec": "sim:ur5e", "arm": "ur5e", "n": 6, "dt": DT, "laws": [], "law_files": {}}
        self.config = Config()
        header = {
            "about": about,
            "spec": "sim:ur5e",
            "dt": DT,
            "pid": me.pid,
            "started": me.started,
            "config": self.config.to_yaml(),
        }
        self.ring = RingWriter(folder / "pretended.ring", 6, depth, header)
        self.row = new_rows(6)
        self.row["k"] = -1

    def publish(self, count: int) -> None:
        for _ in range(count):
            k = self.row["k"].item() + 1
            self.row["k"], self.row["time"], self.row["dt"] = k, k * DT, DT
            self.row["q"] = np.sin(0.01 * k + np.arange(6))
            self.ring.publish(self.row)
            if k % 1000 == 0:
                text = self.config.model_dump_json(round_trip=True)
                self.ring.write_line("config", k, text)

    def publish_for(self, seconds: float) -> None:
        """At 1 kHz."""
        until = time.monotonic() + seconds
        start, first = time.monotonic(), self.row["k"].item()
        while (now := time.monotonic()) < until:
            self.publish(round((now - start) / DT) - (self.row["k"].item() - first))
            time.sleep(0.005)

    def fail(self, reason: str) -> None:
        self.row["state"] = State.FAULT
        self.row["state_since"] = (self.row["k"] + 1) * DT
        write_text(self.row, reason)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory for a ring."""
    path = Path(tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    yield path
    shutil.rmtree(path)


@pytest.fixture
def pretended(folder: Path) -> Iterator[Pretended]:
    controller = Pretended(folder)
    yield controller
    controller.ring.close()


@pytest.fixture
def recorder() -> Iterator[Callable[[], RecorderProcess]]:
    """Starts recorders, and sees that they end."""
    started: list[RecorderProcess] = []

    def start() -> RecorderProcess:
        started.append(RecorderProcess())
        return started[-1]

    yield start
    for process in started:
        process.finish()


def test_every_tick_is_in_the_file_when_the_controller_ends(
    pretended: Pretended, recorder: Callable[[], RecorderProcess], tmp_path: Path
) -> None:
    process = recorder()
    process.attach(pretended.ring.path, tmp_path / "a.mcap", None)
    pretended.publish_for(1.5)
    pretended.ring.write_line("event", 1, "hello")
    pretended.ring.close()
    process.finish()
    recording = load(tmp_path / "a.mcap")
    assert recording["k"].tolist() == list(range(pretended.row["k"].item() + 1))
    np.testing.assert_array_equal(recording["q"][-1], pretended.row["q"][0])
    assert "hello" in [line.text for line in recording.lines]
    assert not recording.truncated


@pytest.mark.parametrize("seed", range(3))
def test_a_recorder_that_is_killed_leaves_a_file_that_lacks_less_than_a_second(
    seed: int, pretended: Pretended, recorder: Callable[[], RecorderProcess], tmp_path: Path
) -> None:
    process = recorder()
    process.attach(pretended.ring.path, tmp_path / "a.mcap", None)
    pretended.publish_for(np.random.default_rng(seed).uniform(0.8, 2.5))
    os.kill(process.pid, signal.SIGKILL)
    process.finish()
    recording = load(tmp_path / "a.mcap")
    assert recording.truncated
    assert recording["k"].tolist() == list(range(len(recording)))
    assert pretended.row["time"].item() - len(recording) * DT < 1.0


def test_a_controller_that_was_killed_leaves_a_recording_and_a_flight_recording(
    pretended: Pretended, recorder: Callable[[], RecorderProcess], tmp_path: Path
) -> None:
    # a process that is gone is what a killed controller looks like
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    os.rename(pretended.ring.path, pretended.ring.path.with_suffix(".old"))
    header = {"pid": dead.pid, "started": 1, "dt": DT, "config": Config().to_yaml()}
    about = {"n": 6, "dt": DT, "spec": "sim:ur5e"}
    ring = RingWriter(pretended.ring.path, 6, 100, header | {"about": about})
    row = new_rows(6)
    ring.publish(row)
    ring.write_line("config", 0, Config().model_dump_json(round_trip=True))
    process = recorder()
    process.attach(ring.path, tmp_path / "a.mcap", tmp_path / "flights")
    process.finish()
    assert load(tmp_path / "a.mcap")["k"].tolist() == [0]
    (flight,) = (tmp_path / "flights").iterdir()
    assert load(flight).header["fault"] == "the controller was killed"
    assert load(flight)["k"].tolist() == [0]


def test_what_cannot_be_recorded_is_told_before_it_begins(
    pretended: Pretended, recorder: Callable[[], RecorderProcess], tmp_path: Path
) -> None:
    (tmp_path / "a.mcap").touch()
    with pytest.raises(RecordingError, match="exists"):
        recorder().attach(pretended.ring.path, tmp_path / "a.mcap", None)


def test_a_recorder_that_gets_nothing_to_do_ends(recorder: Callable[[], RecorderProcess]) -> None:
    process = recorder()
    process.finish()
    assert not os.path.exists(f"/proc/{process.pid}")


def test_lost_ticks_are_told_in_the_file_and_on_the_terminal(
    folder: Path,
    recorder: Callable[[], RecorderProcess],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    controller = Pretended(folder, depth=200)
    process = recorder()
    process.attach(controller.ring.path, tmp_path / "a.mcap", None)
    controller.publish_for(0.5)
    os.kill(process.pid, signal.SIGSTOP)
    controller.publish_for(0.5)
    os.kill(process.pid, signal.SIGCONT)
    controller.publish_for(0.5)
    controller.ring.close()
    process.finish()
    recording = load(tmp_path / "a.mcap")
    assert recording.lost > 100
    assert [line.text for line in recording.lines if line.kind == "lost"]
    assert f"LOST {recording.lost} ticks" in capfd.readouterr().err


def test_a_full_disk_is_told_and_the_recorder_still_saves_a_fault(
    pretended: Pretended,
    recorder: Callable[[], RecorderProcess],
    small_disk: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    process = recorder()
    process.attach(pretended.ring.path, small_disk / "a.mcap", tmp_path / "flights")
    rng = np.random.default_rng(0)
    for _ in range(3000):
        pretended.row["law_state"] = rng.normal(size=LAW_STATE_SIZE)
        pretended.publish(1)
    pretended.fail("it hurts")
    pretended.publish(5)
    pretended.ring.close()
    process.finish()
    said = capfd.readouterr().err
    assert "the recording ended: cannot write" in said
    assert "fault: it hurts; what led to it:" in said
    recording = load(small_disk / "a.mcap")
    assert 250 <= len(recording) < 3000
    (flight,) = (tmp_path / "flights").iterdir()
    assert load(flight).header["fault"] == "it hurts"
