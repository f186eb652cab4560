"""`pliant record` on a running controller, and the `--record` option of other verbs."""

import csv
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from pliant import Arm
from pliant.api.recorders import record
from pliant.api.remote_session import RemoteSession
from pliant.cli import main
from pliant.recording import load
from pliant.recording.recomputation import recompute

PATIENT = {"safety": {"lateness": 60.0}}
"""However busy the machine, the arm does not stop."""


@pytest.fixture(scope="module")
def runtime() -> Iterator[Path]:
    """A separate runtime folder for these tests."""
    root = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    path = Path(tempfile.mkdtemp(prefix="pl", dir=root))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLIANT_RUNTIME_DIR", str(path))
        yield path
    shutil.rmtree(path)


@pytest.fixture(scope="module")
def arm(runtime: Path) -> Iterator[Arm]:
    """An arm in real time, whose configuration was changed while it ran."""
    with Arm("sim:ur5e/table", clock="real", config=PATIENT) as arm:
        arm.set("safety.contact_force", 44.0)
        arm.zero()
        arm.activate("hybrid_admittance")
        arm.wait(2.5)
        yield arm


@pytest.fixture
def signals() -> Iterator[None]:
    """Restores the signal handlers that the verb replaces."""
    before = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_running_controller_is_recorded_with_its_past(
    arm: Arm, signals: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arm.set_wrench([0, 0, -1, 0, 0, 0])
    began = arm.tick.k
    main(["record", str(tmp_path / "a.mcap"), "--past", "2.0", "--duration", "0.3"])
    assert capsys.readouterr().out == f"recording sim:ur5e/table to {tmp_path / 'a.mcap'}\n"
    recording = load(tmp_path / "a.mcap")
    assert recording.lost == 0
    assert recording.time[-1] - recording.time[0] >= 2.0
    assert recording["k"][-1] >= began + 150
    first = arm.tick.k - 200
    main(["record", str(tmp_path / "b.mcap"), "--first", str(first), "--duration", "0.1"])
    assert load(tmp_path / "b.mcap")["k"][0] <= first
    # the recording starts in the middle of the run, with the configuration of that moment
    assert recording.config.safety.contact_force == 44.0
    assert recompute(recording).difference is None


def test_a_csv_file_has_the_requested_rate_and_columns(
    arm: Arm, signals: None, tmp_path: Path
) -> None:
    main(["record", str(tmp_path / "a.csv"), "--duration", "0.5", "--rate", "50", "--columns", "k"])
    names, *lines = csv.reader((tmp_path / "a.csv").open())
    assert names == ["time", "k"]
    assert {int(b[1]) - int(a[1]) for a, b in pairwise(lines)} == {10}
    # as long as asked for, however long the machine took
    assert len(lines) == 26
    assert float(lines[-1][0]) - float(lines[0][0]) == pytest.approx(0.5)


def test_python_records_an_arm_in_real_time(arm: Arm, tmp_path: Path) -> None:
    assert isinstance(arm.session, RemoteSession)
    with record(arm, tmp_path / "a.mcap"):
        arm.set_wrench([0, 0, -2, 0, 0, 0])
        arm.wait(0.3)
        k = arm.tick.k
    recording = load(tmp_path / "a.mcap")
    assert recording["k"][-1] >= k
    assert recording["w_target"][-1, 2] == -2.0
    assert any("WRENCH" in line.text for line in recording.lines if line.kind == "command")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.mcap", "nobody"], "unknown controller 'nobody'"),
        (["a.mcap", "--rate", "9"], "--rate and --columns need a CSV file"),
        (["a.mcap", "--past", "-1"], "--past must be at least 0 s"),
        (["no/a.mcap"], "cannot write no/a.mcap"),
        (["a.csv", "--columns", "wt"], "unknown column 'wt'"),
        (["a.csv", "--rate", "0"], "the rate must be above 0 rows per second"),
    ],
)
def test_mistakes_are_reported_in_one_sentence(
    arguments: list[str],
    message: str,
    arm: Arm,
    signals: None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match=message):
        main(["record", *arguments])
    assert list(tmp_path.iterdir()) == []


def test_recording_without_a_controller_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PLIANT_RUNTIME_DIR", str(tmp_path / "rt"))
    with pytest.raises(SystemExit, match="no controller is running"):
        main(["record", str(tmp_path / "a.mcap")])


def test_a_controller_records_itself_and_saves_a_flight_recording(
    runtime: Path, tmp_path: Path, patient: Path
) -> None:
    file, flights = tmp_path / "a.mcap", tmp_path / "flights"
    process = subprocess.Popen(
        [sys.executable, "-m", "pliant.cli", "control", "--robot", "sim:ur5e/table",
         "--law", "position", "--name", "crash", "--record", str(file), "--config", str(patient)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"PLIANT_FLIGHT_DIR": str(flights)},
    )  # fmt: skip
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write("RELD 0 0 -0.12 0 0 0\n")
    process.stdin.flush()
    process.stdout.read()
    errors = process.stderr.read()
    assert process.wait() == 4
    process.stdin.close()
    whole = load(file)
    assert whole["k"].tolist() == list(range(len(whole)))
    assert recompute(whole).difference is None
    (flight,) = flights.iterdir()
    assert f"flight recording: {flight}" in errors
    last = load(flight)
    assert "contact force" in last.header["fault"]
    assert last["k"][-1] == whole["k"][-1]
    assert recompute(last).difference is None


def test_a_controller_in_simulated_time_loses_no_tick(runtime: Path, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "pliant.cli", "control", "--fast", "--time", "40", "--name", "fast",
         "--record", str(tmp_path / "a.mcap")],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.wait() == 0
    assert process.stdin
    process.stdin.close()
    recording = load(tmp_path / "a.mcap")
    assert recording.lost == 0
    assert recording.time[-1] > 40.0
    assert [line.text for line in recording.lines if line.kind == "end"] == ["the time is over"]
