"""Sweeps of real insertions: in processes, with a killed one, again, and on Ray."""

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

import pliant
from pliant.cli import main
from pliant.sweeps.rerun import rerun
from pliant.sweeps.sweep_store import read_rows

VALUES = {"offset": "0..1.5", "clearance": 0.3, "stiffness": "10..20"}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep of three trials by one worker."""
    file = tmp_path_factory.mktemp("sweep") / "alone.parquet"
    report = pliant.sweep("insertion", trials=3, seed=5, out=file, workers=1, **VALUES)
    assert report.successes == 3
    return file


def test_a_killed_worker_costs_no_trial_and_changes_no_number(alone: Path, tmp_path: Path) -> None:
    file, killed = tmp_path / "a.parquet", []

    def kill(done: int, total: int, good: int) -> None:
        del total, good
        if done == 1:
            worker = multiprocessing.active_children()[0]
            killed.append(worker.pid)
            os.kill(worker.pid or 0, signal.SIGKILL)

    pliant.sweep("insertion", trials=3, seed=5, out=file, workers=2, on_progress=kill, **VALUES)
    assert killed
    assert read_rows(file) == read_rows(alone)


def test_a_trial_runs_again_with_recording_and_plot(alone: Path, tmp_path: Path) -> None:
    ((index, figures, recording),) = rerun(alone, [1], tmp_path / "again")
    row = read_rows(alone)[1]
    assert index == 1
    assert {name: row[name] for name in figures} == figures
    assert pliant.load(recording)["true_f_peak"].max() == pytest.approx(
        figures["peak_force_n"], abs=0.01
    )
    assert recording.with_suffix(".png").exists()


def test_the_command_line_reports(alone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["sweep", "report", str(alone)])
    shown = capsys.readouterr().out
    assert "3 of 3" in shown and "peak_force_n" in shown
    options = [f"--{name}={value}" for name, value in VALUES.items()]
    # nothing is left to do
    main(["sweep", "insertion", "--trials", "3", "--seed", "5", "--out", str(alone), *options])
    assert "3 of 3" in capsys.readouterr().out


def test_ray_gives_the_same_rows(alone: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    file = tmp_path / "a.parquet"
    pliant.sweep("insertion", trials=3, seed=5, out=file, ray="local", **VALUES)
    assert read_rows(file) == read_rows(alone)
