import csv
import re
from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant import Arm, Refused
from pliant.config import Config
from pliant.errors import RecordingError
from pliant.recording import load


def test_every_tick_is_recorded_from_before_the_first(tmp_path: Path) -> None:
    with Arm("sim:ur5e") as arm, pliant.record(arm, tmp_path / "a.mcap"):
        arm.wait(0.777)
        past = arm.history.since(0.0)
    recording = load(tmp_path / "a.mcap")
    assert recording["k"][0] == 0
    assert recording.rows[1:].tobytes() == past.tobytes()
    assert recording.header["spec"] == "sim:ur5e"
    assert recording.header["versions"]["pliant"] == pliant.__version__
    assert not recording.truncated


def test_recording_does_not_change_what_the_arm_does(tmp_path: Path) -> None:
    def run(record: bool) -> bytes:
        with Arm("sim:ur5e/table", seed=5) as arm:
            if record:
                pliant.record(arm, tmp_path / "a.mcap")
            arm.zero()
            arm.activate("hybrid_admittance")
            arm.wait(0.2)
            return arm.history.since(0.0).tobytes()

    assert run(record=True) == run(record=False)


def test_every_command_is_recorded_with_its_reply(tmp_path: Path) -> None:
    with Arm("sim:ur5e") as arm, pliant.record(arm, tmp_path / "a.mcap"):
        arm.wait(0.01)
        arm.set_wrench([0, 0, -500, 0, 0, 0])
        with pytest.raises(Refused):
            arm.jog([0.01, 0, 0, 0, 0, 0])
        arm.wait(0.01)
    lines = [line for line in load(tmp_path / "a.mcap").lines if line.tick == 6]
    assert [(line.kind, line.text.split(";")[0]) for line in lines] == [
        ("command", "SET_WRENCH 0.0 0.0 -500.0 0.0 0.0 0.0"),
        ("input", "SET_WRENCH 0.0 0.0 -500.0 0.0 0.0 0.0"),
        ("reply", "OK wrench target 0 0 -20 0 0 0 in tool axes"),
        ("command", "JOG 0.01 0.0 0.0 0.0 0.0 0.0"),
        ("reply", "ERR no law is active"),
    ]


def test_a_recording_that_begins_later_knows_the_configuration_it_begins_with(
    tmp_path: Path,
) -> None:
    with Arm("sim:ur5e") as arm:
        arm.set("safety.contact_force", 31.0)
        arm.wait(0.1)
        arm.set("safety.contact_force", 32.0)
        with pliant.record(arm, tmp_path / "a.mcap"):
            arm.wait(0.1)
    recording = load(tmp_path / "a.mcap")
    assert recording["k"][0] == 50
    assert recording.config.safety.contact_force == 31.0
    inputs = [(line.tick, line.text) for line in recording.lines if line.kind == "input"]
    assert inputs == [(51, "SET safety.contact_force 32.0")]


def test_the_configuration_is_there_once_a_second(tmp_path: Path) -> None:
    with Arm("sim:ur5e") as arm, pliant.record(arm, tmp_path / "a.mcap"):
        arm.set("safety.contact_force", float("inf"))
        arm.wait(2.1)
    lines = [line for line in load(tmp_path / "a.mcap").lines if line.kind == "config"]
    assert [line.tick for line in lines] == [0, 500, 1000]
    config = Config.model_validate_json(lines[1].text)
    assert config.safety.contact_force == np.inf


def test_it_ends_with_the_arm(tmp_path: Path) -> None:
    arm = Arm("sim:ur5e")
    recorder = pliant.record(arm, tmp_path / "a.mcap")
    arm.wait(0.1)
    arm.close()
    recorder.close()
    recording = load(tmp_path / "a.mcap")
    assert len(recording) == 51
    assert not recording.truncated


def test_two_recordings_at_once_are_alike(tmp_path: Path) -> None:
    with Arm("sim:ur5e") as arm, pliant.record(arm, tmp_path / "a.mcap"):
        with pliant.record(arm, tmp_path / "b.mcap"):
            arm.wait(0.1)
        arm.wait(0.1)
    a, b = load(tmp_path / "a.mcap"), load(tmp_path / "b.mcap")
    assert len(a) == 101
    assert b.rows.tobytes() == a.rows[:51].tobytes()


def test_a_full_disk_ends_the_recording_and_not_the_run(
    small_disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arm = Arm("sim:ur5e")
    with arm, pytest.raises(RecordingError, match="the recording ended: cannot write"):  # noqa: SIM117
        with pliant.record(arm, small_disk / "a.mcap"):
            arm.wait(8.0)
            assert arm.time == pytest.approx(8.0)
    assert "the recording ended: cannot write" in capsys.readouterr().err
    recording = load(small_disk / "a.mcap")
    assert len(recording) > 250
    assert recording["k"].tolist() == list(range(len(recording)))


def test_what_went_wrong_in_the_program_is_what_is_told(small_disk: Path) -> None:
    with (
        pytest.raises(ZeroDivisionError),
        Arm("sim:ur5e") as arm,
        pliant.record(arm, small_disk / "a.mcap"),
    ):
        arm.wait(8.0)
        _ = 1 / 0


def test_a_file_is_what_its_name_says(tmp_path: Path) -> None:
    with Arm("sim:ur5e") as arm, pliant.record(arm, tmp_path / "a.csv"):
        arm.wait(0.1)
    head, *lines = csv.reader((tmp_path / "a.csv").open())
    assert head[:3] == ["epoch_s", "Fx_s", "Fy_s"]
    assert len(lines) == 51
    # straight down, a turn by about π: its sign does not change from row to row
    turns = np.array(
        [[float(line[head.index(f"tcp_r{axis}")]) for axis in "xyz"] for line in lines]
    )
    assert np.abs(np.diff(turns, axis=0)).max() < 0.1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("a.parquet", "a recording is a file .mcap or .csv; record to .mcap, then `pliant export`"),
        ("a.txt", "cannot record to a.txt: a recording is a file .mcap or .csv"),
        ("a", "cannot record to a: a recording is"),
    ],
)
def test_a_name_that_promises_another_format_is_refused(
    tmp_path: Path, name: str, told: str
) -> None:
    with Arm("sim:ur5e") as arm:
        with pytest.raises(RecordingError, match=re.escape(told)):
            pliant.record(arm, tmp_path / name)
        arm.wait(0.01)
    assert not any(tmp_path.iterdir())
