"""The command line."""

import json
import signal
import subprocess
import sys

import pytest

from pliant.cli import main
from pliant.tasks.trial_tasks import trial_task


def test_insertion_prints_json(capsys):
    main(["task", "insertion", "--json", "--seed", "4"])
    result = json.loads(capsys.readouterr().out)
    assert result["seated"] is True
    assert result["peak_force_n"] < 15.0
    assert {"mean_force_n", "time_s", "depth_mm"} <= set(result)


def test_a_comparison_prints_and_plots_both_runs(capsys, tmp_path):
    plot = tmp_path / "insertion.png"
    main(["task", "insertion", "--compare", "--plot", str(plot)])
    output = capsys.readouterr().out
    assert "hybrid_admittance" in output
    assert "position" in output
    assert "peak side force" in output
    assert plot.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("task", "success"),
    [("press", "held"), ("slide", "kept"), ("guide", "calm"), ("retract", "free")],
)
def test_a_task_prints_its_figures_as_table_and_json(task, success, capsys, tmp_path):
    plot, recording = tmp_path / "force.png", tmp_path / "run.mcap"
    main(["task", task, "--plot", str(plot), "--record", str(recording)])
    shown = capsys.readouterr().out
    assert success in shown and "peak_force_n" in shown
    assert plot.read_bytes().startswith(b"\x89PNG") and recording.exists()
    main(["task", task, "--json"])
    figures = json.loads(capsys.readouterr().out)
    assert figures[success] is True
    numbers = {name for name, value in figures.items() if isinstance(value, float)}
    assert numbers == set(trial_task(task).figures)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["task", "slide", "--speed", "500"], "--speed must be 1 to 100 mm/s"),
        (["task", "press", "--set", "law.nonsense=1"], "unknown parameter 'law.nonsense'"),
        (["sweep", "press", "--trials", "0"], "a sweep has 1 to 10000000 trials, not 0"),
        (["sweep", "press", "--force", "3-15"], "force: give a number, a range as in 0..20"),
        (["sweep", "press", "--robot", "sim:nothing"], "unknown arm 'nothing'"),
        (["nonsense"], "unknown verb 'nonsense'; valid: task"),
        (["recrod"], "unknown verb 'recrod'; did you mean record"),
        (["task", "insertion", "--lag", "500"], "--lag must be 0 to 100 ms"),
        (["task", "insertion", "--stiffness", "1000"], "stiffness"),
        (["config", "--file", "missing.yaml"], "cannot read"),
    ],
)
def test_mistakes_are_reported_in_one_sentence(arguments, message):
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert message in str(stopped.value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["pliant", "expo"], ["export"]),
        (["pliant", "task", "ins"], ["insertion"]),
        (["pliant", "record", "--dur"], ["--duration"]),
    ],
)
def test_the_tab_key_completes(arguments, words, tmp_path, capsys):
    main(["completion", "bash"])
    script = tmp_path / "pliant.bash"
    script.write_text(capsys.readouterr().out)
    given = " ".join(arguments)
    ask = (
        f"source {script}; COMP_WORDS=({given}); COMP_CWORD={len(arguments) - 1}; "
        f"COMP_LINE='{given}'; COMP_POINT={len(given)}; _tyro_pliant; echo ${{COMPREPLY[@]}}"
    )
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout.split() == words


def test_help_does_not_import_the_physics_engine():
    code = (
        "import sys; from pliant.cli import main; main(['--help']); print('mujoco' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n")


def test_a_closed_pipe_causes_no_traceback():
    printing = subprocess.Popen(
        [sys.executable, "-m", "pliant.cli", "config"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert printing.stdout and printing.stderr
    printing.stdout.close()
    assert printing.stderr.read() == b""
    assert printing.wait() == 128 + signal.SIGPIPE


def test_config_prints_a_file_that_it_can_read(capsys, tmp_path):
    main(["config"])
    text = capsys.readouterr().out
    file = tmp_path / "pliant.yaml"
    file.write_text(text)
    main(["config", "--file", str(file)])
    assert capsys.readouterr().out == text
