"""Recomputing a recording of a controller: its start, its input lines, and its stop."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

import pliant
from pliant.recording.recomputation import recompute
from pliant.stages.supervisor import read_text

# forces so small that the arm hardly moves, however much simulated time passes between two lines
LINES = (
    "AXIS 0 0 1 0 0 0",
    "WRENCH 0 0 -0.03 0 0 0",
    "NONSENSE",
    "STIFF 100 100 0 5 5 5",
    "SET safety.contact_force 40",
    "PRESET hand_guiding",
    "REFA 9 9 9 0 0 0",
    "RELD 0.01 0 0 0 0 0.1 tool",
    "JOG 0 0.02 0 0 0 0 world 0.5",
)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> pliant.Recording:
    """A controller in simulated time that receives commands until its input is closed."""
    folder = tmp_path_factory.mktemp("controller")
    file = folder / "a.mcap"
    process = subprocess.Popen(
        [sys.executable, "-m", "pliant.cli", "control", "--robot", "sim:ur5e", "--fast",
         "--wrench", "0", "0", "0.02", "0", "0", "0", "--record", str(file)],
        env=os.environ | {"PLIANT_RUNTIME_DIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    assert process.stdin and process.stdout
    for line in LINES:
        process.stdin.write(line + "\n")
        process.stdin.flush()
        assert any(line.startswith(("OK", "ERR")) for line in process.stdout)
        time.sleep(0.02)
    process.communicate()
    assert process.returncode == 3
    return pliant.load(file)


def test_the_start_the_commands_and_the_stop_are_recorded_as_inputs(
    recording: pliant.Recording,
) -> None:
    inputs = [line.text for line in recording.lines if line.kind == "input"]
    assert inputs[:3] == [
        "ZERO",
        "ACTIVATE hybrid_admittance",
        "SET_WRENCH 0.0 0.0 0.02 0.0 0.0 0.0",
    ]
    accepted = [line for line in LINES if not line.startswith(("NONSENSE", "REFA"))]
    assert inputs[3:] == [*accepted, "stop STDIN_CLOSED"]
    assert read_text(recording.rows[-1:]) == "standard input was closed"


def test_recomputing_from_any_row_is_equal_bit_for_bit(recording: pliant.Recording) -> None:
    assert recording.lost == 0
    assert recording["k"][0] == 0
    assert recompute(recording).difference is None
    rng = np.random.default_rng(3)
    for start in rng.integers(2, len(recording), 3).tolist():
        assert recompute(recording, start).difference is None
