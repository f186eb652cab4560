"""The command line as a user types it."""

import json
import signal
import subprocess
import sys

import pytest

from pliant.cli import main


def test_insertion_as_json(capsys):
    main(["task", "insertion", "--json", "--seed", "4"])
    result = json.loads(capsys.readouterr().out)
    assert result["seated"] is True
    assert result["peak_force_n"] < 15.0
    assert {"mean_force_n", "time_s", "depth_mm"} <= set(result)


def test_comparison_shows_both_and_draws(capsys, tmp_path):
    picture = tmp_path / "insertion.png"
    main(["task", "insertion", "--compare", "--plot", str(picture)])
    shown = capsys.readouterr().out
    assert "hybrid_admittance" in shown
    assert "position" in shown
    assert "approach speed" in shown
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], "unknown verb 'nonsense'; valid: task"),
        (["task", "insertion", "--lag", "500"], "--lag is 0 to 100 ms"),
        (["task", "insertion", "--stiffness", "1000"], "stiffness"),
        (["config", "--file", "missing.yaml"], "cannot read"),
    ],
)
def test_mistakes_end_in_one_clear_sentence(arguments, said):
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert said in str(stopped.value)


def test_help_is_quick_and_needs_no_physics():
    code = (
        "import sys; from pliant.cli import main; main(['--help']); print('mujoco' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n")


def test_who_reads_only_the_first_line_is_left_in_peace():
    printing = subprocess.Popen(
        [sys.executable, "-m", "pliant.cli", "config"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert printing.stdout and printing.stderr
    printing.stdout.close()
    assert printing.stderr.read() == b""
    assert printing.wait() == 128 + signal.SIGPIPE


def test_config_prints_what_it_reads(capsys, tmp_path):
    main(["config"])
    text = capsys.readouterr().out
    file = tmp_path / "pliant.yaml"
    file.write_text(text)
    main(["config", "--file", str(file)])
    assert capsys.readouterr().out == text
