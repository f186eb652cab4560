"""`pliant identify`, `pliant suggest` and `pliant doctor`."""

import json
import sys

import numpy as np
import pytest

from pliant import Config
from pliant.cli import doctor as doctor_verb
from pliant.cli import main
from pliant.doctor import examine
from pliant.doctor.lateness import RealTime
from tests.virtual_arms import TooBusyError, is_busy, on_virtual_arm

DOCTORED = ("machine", "sensor", "tool", "lag", "contact")
GOOD = RealTime(refused=(), late_p50=5e-5, late_p99=2e-4, late_max=1e-3)


@pytest.fixture
def calm_machine(monkeypatch):
    """Replaces the timing of the test machine by a good one."""

    def examine_calmly(arm, **options):
        return examine(arm, lateness=lambda dt, seconds: GOOD, **options)

    monkeypatch.setattr(doctor_verb, "examine", examine_calmly)


def test_identify_tool_writes_the_configuration(tmp_path, capsys):
    given, written = tmp_path / "given.yaml", tmp_path / "found.yaml"
    given.write_text("sim:\n  tool: {mass: 0.9, com_F: [0.01, 0.0, 0.05]}\n")
    main(["identify", "tool", "--config", str(given), "--write", str(written), "--poses", "5"])
    output = capsys.readouterr().out
    assert "mass" in output
    assert "± " in output
    found = Config.from_yaml(written)
    assert found.tool.mass == pytest.approx(0.9, rel=0.01)
    np.testing.assert_allclose(found.tool.com_F, (0.01, 0.0, 0.05), atol=2e-3)


def test_identify_lag_prints_json(capsys):
    main(["identify", "lag", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["lag"]["value"] == pytest.approx(0.034, abs=1e-4)
    assert found["config"]["contact.dead_time"] == pytest.approx(0.008, abs=1e-3)


def test_identify_surface_writes_the_expected_surface(tmp_path, capsys):
    written = tmp_path / "found.yaml"
    main(["identify", "surface", "--robot", "sim:ur5e/table", "--speed", "5",
          "--write", str(written)])  # fmt: skip
    assert "N/mm" in capsys.readouterr().out
    assert Config.from_yaml(written).contact.surface_stiffness == pytest.approx(1e4, rel=0.05)


def test_identify_reports_failures_in_one_sentence():
    with pytest.raises(SystemExit, match="1 distinct gravity directions do not determine"):
        main(["identify", "tool", "--tilt", "4"])
    with pytest.raises(SystemExit, match="nothing within 5 mm"):
        main(["identify", "surface", "--reach", "5"])


def test_a_running_controller_takes_no_other_configuration(tmp_path):
    given = tmp_path / "given.yaml"
    given.write_text("tool: {mass: 0.9}\n")
    with pytest.raises(SystemExit, match="the running controller has its own"):
        main(["identify", "lag", "--robot", "attach", "--config", str(given)])


def test_identify_tool_works_on_a_recording(tmp_path, capsys):
    from pliant import Arm, record
    from pliant.identify import identify_tool

    file = tmp_path / "weighing.mcap"
    with Arm("sim:ur5e") as arm, record(arm, file):
        arm.wait(0.05)
        identify_tool(arm, poses=5)
    main(["identify", "tool", "--recording", str(file), "--json"])
    assert json.loads(capsys.readouterr().out)["mass"]["value"] == pytest.approx(0.5, rel=0.01)


def test_suggest_predicts_writes_and_plots(tmp_path, capsys, calm_machine):
    written, plot = tmp_path / "gains.yaml", tmp_path / "contacts.png"
    main(["suggest", "--softest", "10", "--stiffest", "100", "--lag", "34",
          "--write", str(written), "--plot", str(plot)])  # fmt: skip
    assert "peak, N" in capsys.readouterr().out
    assert plot.read_bytes().startswith(b"\x89PNG")
    config = Config.from_yaml(written)
    assert config.laws.hybrid_admittance.damping[2] > 2000.0
    assert config.laws.hybrid_admittance.max_speed[0] == pytest.approx(0.01)
    assert config.contact.surface_stiffness == pytest.approx(1e5)
    # and the doctor agrees with it
    main(["doctor", "--config", str(written), "--still", "--json"])
    assert json.loads(capsys.readouterr().out)["fit"] is True


def test_suggest_prints_json_and_refuses_bad_options(capsys):
    main(["suggest", "--softest", "10", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["contacts"][0]["peak"] <= 6.0
    with pytest.raises(SystemExit, match="leaves no room"):
        main(["suggest", "--peak", "5.01"])
    with pytest.raises(SystemExit, match="--lag must be 0 to 1000 ms, not -5"):
        main(["suggest", "--lag", "-5"])
    with pytest.raises(SystemExit, match="--plot writes"):
        main(["suggest", "--plot", "plot.txt"])
    with pytest.raises(SystemExit, match="unknown arm 'nonsense'; valid: "):
        main(["suggest", "--arm", "nonsense"])


def test_doctor_reports_problems_plots_and_exits_with_status_1(tmp_path, capsys, calm_machine):
    given, plot = tmp_path / "given.yaml", tmp_path / "map.png"
    given.write_text("contact: {surface_stiffness: 100000.0}\n")
    with pytest.raises(SystemExit) as stopped:
        main(["doctor", "--config", str(given), "--still", "--plot", str(plot)])
    output = capsys.readouterr().out
    assert stopped.value.code == 1
    assert "contact: not fit" in output
    assert "the expected surface of 100 N/mm is unstable" in output
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_doctor_finds_the_default_setup_fit(capsys, calm_machine):
    main(["doctor"])
    output = capsys.readouterr().out
    assert "not fit" not in output
    assert output.count(": fit, ") == 5


@pytest.mark.long
@pytest.mark.alone
def test_doctor_finds_a_ur_fit(capsys, calm_machine):
    on_virtual_arm(lambda spec: diagnose(spec, capsys), "ur5e")


def diagnose(spec, capsys):
    try:
        main(["doctor", "--robot", spec, "--json"])
    except SystemExit as stopped:
        if is_busy(str(stopped.code)):
            raise TooBusyError from None
    checks = json.loads(capsys.readouterr().out)["checks"]
    problems = [finding["problem"] for check in checks for finding in check["findings"]]
    if any(map(is_busy, problems)):
        raise TooBusyError
    assert problems == []
    names = [check["name"] for check in checks]
    assert names == ["network", "arm", "push test", "payload", *DOCTORED], names


def test_control_warns_about_unstable_gains_and_strict_refuses_them(tmp_path):
    import subprocess

    given = tmp_path / "given.yaml"
    given.write_text("contact: {surface_stiffness: 100000.0}\n")
    command = [sys.executable, "-m", "pliant.cli", "control", "--fast", "--config", str(given)]
    done = subprocess.run(command, input="PRESET light\n", capture_output=True, text=True,
                          timeout=120, check=False)  # fmt: skip
    assert "would be unstable on the expected surface of 100 N/mm" in done.stderr
    assert "OK preset light; warning: contact along x, y, z would be unstable" in done.stdout
    done = subprocess.run([*command, "--strict"], input="", capture_output=True, text=True,
                          timeout=120, check=False)  # fmt: skip
    assert done.returncode == 1
    assert "would be unstable" in done.stderr
    assert "Traceback" not in done.stderr
