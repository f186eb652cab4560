"""Teaching a motion by hand, and playing it back."""

import json
from pathlib import Path

import numpy as np
import pytest

from pliant import Arm
from pliant.arms import load_arm
from pliant.cli import main
from pliant.errors import ConfigError, Refused
from pliant.tasks.playback import playback
from pliant.tasks.teach import teach

PANDA = load_arm("panda")
FAST = {"safety": {"tool_speed": 2.0}}


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, np.ndarray]:
    """A motion taught to a Panda by a scripted hand, and its ticks."""
    path = tmp_path_factory.mktemp("motions") / "taught.csv"
    arm = Arm("sim:panda", config=FAST)
    arm.wait(0.1)
    for force, at in (((0, 5, 0), 0.2), ((0, 0, 5), 1.0), ((2, -6, -3), 1.8)):
        arm.hand.schedule([*force, 0, 0, 0], start=arm.time + at, duration=0.8)
    start = arm.time
    count = teach(arm, path, lambda tick: tick.time > start + 3.0)
    assert count == pytest.approx(600, abs=2)
    return path, arm.history.since(start)


def test_a_taught_motion_is_played_back(taught):
    path, rows = taught
    # the hand moved the arm noticeably
    assert np.ptp(rows["X_WT"][:, :3], axis=0).max() > 0.05
    arm = Arm("sim:panda", config=FAST)
    arm.wait(0.1)
    result = playback(arm, path)
    assert max(result.rms_mrad) < 5.0
    assert result.clipped == 0
    played = arm.history.since(0.0)
    played = played[played["ref_rate"] == 1.0]
    guided = np.array(
        [np.interp(played["ref_phase"] + rows["time"][0], rows["time"], q) for q in rows["q"].T]
    )
    assert 1e3 * np.sqrt(((played["q"] - guided.T) ** 2).mean(axis=0)).max() < 5.0


@pytest.mark.parametrize("friction", ["off", "typical"])
@pytest.mark.parametrize("speed", [0.5, 2.0])
def test_playback_works_at_other_speeds(taught, speed, friction):
    path, _ = taught
    config = FAST | {"reference": {"playback": {"speed": speed}}, "sim": {"friction": friction}}
    arm = Arm("sim:panda", config=config)
    arm.wait(0.1)
    result = playback(arm, path)
    assert max(result.rms_mrad) < 5.0
    # the ramps take a little longer than full speed would
    assert 0.0 < result.played_s - 3.0 / speed < 0.5
    rows = arm.history.since(0.0)
    assert (np.abs(rows["qd"]) < PANDA.qd_max).all()
    assert (np.abs(rows["tau_sent"]) < PANDA.tau_max).all()


def test_playback_moves_to_the_start_within_the_velocity_limits(taught):
    path, rows = taught
    config = {
        "sim": {"q_start": tuple(rows["q"][0] + 0.3)},
        "reference": {"playback": {"speed": 1.5}},
        "safety": {"tool_speed": 2.0},
    }
    arm = Arm("sim:panda", config=config)
    arm.wait(0.1)
    result = playback(arm, path)
    assert result.joined_s > 0.5
    assert result.played_s == pytest.approx(2.0 + 0.36, abs=0.02)
    rows = arm.history.since(0.0)
    assert (np.abs(rows["qd"]) < 0.8 * PANDA.qd_max).all()
    joining = rows[rows["ref_rate"] == 0.0]
    assert (np.abs(joining["qd_ref"]) <= 0.2501 * PANDA.qd_max).all()
    assert result.clipped == 0


def test_playback_can_loop(taught):
    path, _ = taught
    config = {"reference": {"playback": {"file": str(path), "loop": True, "speed": 3.0}}}
    arm = Arm("sim:panda", config=config)
    arm.wait(0.05)
    arm.use_preset("playback")
    arm.wait(6.0)
    rates = arm.history["ref_rate"]
    assert np.count_nonzero((rates[1:] > 0.0) & (rates[:-1] == 0.0)) >= 2
    assert arm.tick.ref_done == 0


def test_impossible_teaching_and_playback_are_refused(taught, tmp_path):
    path, _ = taught
    arm = Arm("sim:ur5e")
    with pytest.raises(ConfigError, match=r"7 joints in line 2, the ur5e has 6"):
        playback(arm, path)
    with pytest.raises(Refused, match="this arm accepts only positions"):
        teach(arm, tmp_path / "x.csv", lambda _: True)
    with pytest.raises(ConfigError, match=r"to a .csv file"):
        teach(arm, tmp_path / "x.bag", lambda _: True)
    with pytest.raises(ConfigError, match="no such folder"):
        teach(arm, tmp_path / "none" / "x.csv", lambda _: True)
    assert arm.config.reference.playback.file is None


def test_teach_and_playback_work_on_the_command_line(taught, tmp_path, capsys):
    path, _ = taught
    main(["task", "teach", str(tmp_path / "guided.csv"), "--time", "0.5"])
    assert "100 samples" in capsys.readouterr().out
    main(["task", "playback", str(path), "--speed", "0.6", "--json"])
    result = json.loads(capsys.readouterr().out)
    assert max(result["rms_mrad"]) < 10.0
    # its tool would move with 0.6 m/s and more, at a limit of 0.5 m/s
    main(["task", "playback", str(path), "--speed", "0.8", "--json"])
    assert "tool speed" in json.loads(capsys.readouterr().out)["limits"]
    main(["task", "playback", str(path), "--speed", "3"])
    assert "tool speed" in " ".join(capsys.readouterr().out.split())
    broken = tmp_path / "broken.csv"
    broken.write_text("\n".join(path.read_text().splitlines()[:40]) + "\n0.3,nan")
    with pytest.raises(SystemExit, match=r"broken.csv, line 41: 2 columns instead of 15, cut off"):
        main(["task", "playback", str(broken)])
