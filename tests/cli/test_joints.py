"""`pliant joints` and `pliant sequence` on a running controller."""

import json
from pathlib import Path

import numpy as np
import pytest

from pliant import Arm, commands
from pliant.cli import main
from pliant.stages.joints import ReportedMode


@pytest.fixture
def arm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PLIANT_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    patient = {"safety": {"lateness": 60.0}}
    with Arm("sim:ur5e", clock="real", config=patient) as arm:
        yield arm


def test_joints_and_sequences_work_on_a_running_controller(
    arm: Arm, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arm.joints.set_modes([0, 5], ["position", "velocity"])
    arm.joints[0].speed = 0.5
    start = arm.joints[0].position
    arm.joints[0].position_move(start + 0.1)
    arm.joints.wait_done(0)
    assert arm.joints.modes([0, 5]) == [ReportedMode.POSITION, ReportedMode.VELOCITY]
    assert arm.tick.q_board[0] == pytest.approx(start + 0.1)
    assert arm.joints.limits.qd_max[0] == pytest.approx(0.8 * np.pi)

    main(["joints", "--once"])
    output = capsys.readouterr().out
    assert all(len(line) <= 80 for line in output.splitlines())
    for number, name in enumerate(arm.joints.names):
        # each joint on one line, with all its values
        (line,) = [line for line in output.splitlines() if f"{number} {name[:-6]}" in line]
        assert len(line.split()) == 11
    assert "vel stif" in output
    main(["joints", "--json"])
    listed = json.loads(capsys.readouterr().out)
    assert [joint["mode"] for joint in listed] == ["pos", "idl", "idl", "idl", "idl", "vel"]
    assert listed[0]["q_ref"] == pytest.approx(start + 0.1)
    answered = arm._session._ask(commands.QueryJoints(joints=(0, 5))).value
    assert [joint["mode"] for joint in answered] == ["pos", "vel"]
    assert answered[0]["speed"] == 0.5

    arm._session._ask(commands.Lease(action="release"))
    q = arm.tick.q_board.copy()
    file = tmp_path / "book.yaml"
    turned = q + np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.1])
    file.write_text(
        f"postures: {{a: {turned.tolist()}}}\nsequences: {{s: [{{posture: a, duration: 0.3}}]}}"
    )
    main(["sequence", str(file), "s"])
    assert "s: done" in capsys.readouterr().out
    arm.wait(0.05)
    assert arm.tick.q_board[5] == pytest.approx(q[5] + 0.1)
