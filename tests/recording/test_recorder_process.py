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
from pliant.reasons import State
from pliant.recording import load
from pliant.recording.recorder_process import RecorderProcess
from pliant.ring.ring import RingWriter
from pliant.stages.supervisor import write_text
from pliant.tick import new_rows

DT = 0.001


class FakeController:
    """A controller as its readers see it: a ring in which ticks and lines appear."""

    def __init__(self, folder: Path, depth: int = 12_000) -> None:
        about = {"spec": "sim:ur5e", "arm": "ur5e", "n": 6, "dt": DT, "laws": [], "law_files": {}}
        self.config = Config()
        header = {
            "about": about,
            "spec": "sim:ur5e",
            "dt": DT,
            "config": self.config.to_yaml(),
        }
        self.ring = RingWriter(folder / "controller.ring", 6, depth, header)
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
        """Publish at 1 kHz."""
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
def controller(folder: Path) -> Iterator[FakeController]:
    fake = FakeController(folder)
    yield fake
    fake.ring.close()


@pytest.fixture
def recorder() -> Iterator[Callable[[], RecorderProcess]]:
    """Starts recorders, and waits for their end."""
    started: list[RecorderProcess] = []

    def start() -> RecorderProcess:
        started.append(RecorderProcess())
        return started[-1]

    yield start
    for process in started:
        process.finish()


def test_the_file_holds_every_tick_when_the_controller_ends(
    controller: FakeController, recorder: Callable[[], RecorderProcess], tmp_path: Path
) -> None:
    process = recorder()
    process.attach(controller.ring.path, tmp_path / "a.mcap", None)
    controller.publish_for(1.5)
    controller.ring.write_line("event", 1, "hello")
    controller.ring.close()
    process.finish()
    recording = load(tmp_path / "a.mcap")
    assert recording["k"].tolist() == list(range(controller.row["k"].item() + 1))
    np.testing.assert_array_equal(recording["q"][-1], controller.row["q"][0])
    assert "hello" in [line.text for line in recording.lines]
    assert not recording.truncated


@pytest.mark.parametrize("seed", range(3))
def test_a_killed_recorder_loses_less_than_a_second(
    seed: int, controller: FakeController, recorder: Callable[[], RecorderProcess], tmp_path: Path
) -> None:
    process = recorder()
    process.attach(controller.ring.path, tmp_path / "a.mcap", None)
    controller.publish_for(np.random.default_rng(seed).uniform(0.8, 2.5))
    # the recorder may be behind; how long it keeps ticks to itself is tested with `follow`
    until(lambda: missing(controller, tmp_path / "a.mcap") < 1.0)
    os.kill(process.pid, signal.SIGKILL)
    process.finish()
    recording = load(tmp_path / "a.mcap")
    assert recording.truncated
    assert recording["k"].tolist() == list(range(len(recording)))
    assert missing(controller, tmp_path / "a.mcap") < 1.0


def missing(controller: FakeController, file: Path) -> float:
    """How much of what was published is not in a file, s."""
    try:
        recorded = len(load(file))
    except RecordingError:
        recorded = 0
    return (controller.row["k"].item() + 1 - recorded) * DT


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


KILLED = """
import sys
from pathlib import Path
from pliant.config import Config
from pliant.ring.ring import RingWriter
from pliant.tick import new_rows
about = {"n": 6, "dt": 0.001, "spec": "sim:ur5e"}
header = {"about": about, "dt": 0.001, "config": Config().to_yaml()}
ring = RingWriter(Path(sys.argv[1]), 6, 100, header)
ring.publish(new_rows(6))
ring.write_line("config", 0, Config().model_dump_json(round_trip=True))
print("ready", flush=True)
sys.stdin.read()
"""


def test_a_killed_controller_leaves_a_recording_and_a_flight_recording(
    folder: Path, recorder: Callable[[], RecorderProcess], tmp_path: Path
) -> None:
    killed = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(folder / "killed.ring")],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
    )
    assert killed.stdout and killed.stdout.readline() == b"ready\n"
    process = recorder()
    process.attach(folder / "killed.ring", tmp_path / "a.mcap", tmp_path / "flights")
    killed.kill()
    killed.communicate()
    process.finish()
    assert load(tmp_path / "a.mcap")["k"].tolist() == [0]
    (flight,) = (tmp_path / "flights").iterdir()
    assert load(flight).header["fault"] == "the controller was killed"
    assert load(flight)["k"].tolist() == [0]


def test_an_impossible_recording_is_refused_before_it_starts(
    controller: FakeController, recorder: Callable[[], RecorderProcess], tmp_path: Path
) -> None:
    (tmp_path / "a.mcap").touch()
    with pytest.raises(RecordingError, match="exists"):
        recorder().attach(controller.ring.path, tmp_path / "a.mcap", None)


def test_a_recorder_without_a_job_ends(recorder: Callable[[], RecorderProcess]) -> None:
    process = recorder()
    process.finish()
    assert not os.path.exists(f"/proc/{process.pid}")


def test_lost_ticks_are_reported_in_the_file_and_on_the_terminal(
    folder: Path,
    recorder: Callable[[], RecorderProcess],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    controller = FakeController(folder, depth=200)
    process = recorder()
    process.attach(controller.ring.path, tmp_path / "a.mcap", None)
    controller.publish_for(0.5)
    # it has begun: some of these are in the file
    until(lambda: missing(controller, tmp_path / "a.mcap") < 0.4)
    os.kill(process.pid, signal.SIGSTOP)
    controller.publish(500)
    os.kill(process.pid, signal.SIGCONT)
    controller.publish_for(0.5)
    controller.ring.close()
    process.finish()
    recording = load(tmp_path / "a.mcap")
    assert recording.lost > 100
    assert [line.text for line in recording.lines if line.kind == "lost"]
    assert f"LOST {recording.lost} ticks" in capfd.readouterr().err


def test_a_full_disk_is_reported_and_a_fault_is_still_saved(
    controller: FakeController,
    recorder: Callable[[], RecorderProcess],
    small_disk: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    process = recorder()
    process.attach(controller.ring.path, small_disk / "a.mcap", tmp_path / "flights")
    rng = np.random.default_rng(0)
    for _ in range(3000):
        controller.row["law_state"] = rng.normal(size=controller.row["law_state"].shape)
        controller.publish(1)
    controller.fail("it hurts")
    controller.publish(5)
    controller.ring.close()
    process.finish()
    errors = capfd.readouterr().err
    assert "the recording ended: cannot write" in errors
    assert "fault: it hurts; flight recording:" in errors
    recording = load(small_disk / "a.mcap")
    assert 250 <= len(recording) < 3000
    (flight,) = (tmp_path / "flights").iterdir()
    assert load(flight).header["fault"] == "it hurts"
