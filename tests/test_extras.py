"""Everything works without the extras but what they are for, and that says in a sentence which."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pliant import Arm
from pliant.cli import main
from pliant.errors import PliantError
from pliant.extras import EXTRAS

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]

PACKAGES = {"rtde_control": "ur_rtde"}
"""Packages whose name is not that of their module."""

BARE = f"""
import sys
for name in {[name for names, _ in EXTRAS.values() for name in names]!r}:
    sys.modules[name] = None
"""
"""Runs as if no extra were installed."""


def run(code: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BARE + code], capture_output=True, text=True, **options
    )


def test_the_extras_of_the_package_bring_their_modules() -> None:
    declared = PROJECT["optional-dependencies"]
    for extra, (modules, _) in EXTRAS.items():
        packages = {PACKAGES.get(module, module) for module in modules}
        assert {re.split("[>=]", name)[0] for name in declared[extra]} == packages
        # and none of them is needed by everybody
        assert not {name.split(">")[0] for name in PROJECT["dependencies"]} & set(modules)
    # a cluster is not for everybody
    assert declared["all"] == [f"pliant[{','.join(name for name in EXTRAS if name != 'ray')}]"]


def test_without_extras_an_arm_runs_records_and_exports(tmp_path: Path) -> None:
    code = f"""
import pliant
from pliant.cli import main
with pliant.Arm("sim:ur5e/table") as arm, pliant.record(arm, "{tmp_path}/a.mcap"):
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.wait(0.1)
main(["info", "{tmp_path}/a.mcap"])
main(["export", "{tmp_path}/a.mcap", "{tmp_path}/a.csv"])
main(["export", "{tmp_path}/a.mcap", "{tmp_path}/a.npz"])
main(["plot", "{tmp_path}/a.mcap", "--out", "{tmp_path}/a.html"])
main(["recompute", "{tmp_path}/a.mcap"])
main(["status"])
main(["control", "--fast", "--time", "0.3", "--record", "{tmp_path}/b.mcap"])
"""
    done = run(code, env=None, cwd=tmp_path)
    # the controller of the last line ends as its standard input is closed
    assert "Traceback" not in done.stderr and "END" in done.stdout, done.stderr
    assert {file.name for file in tmp_path.iterdir()} >= {"a.csv", "a.npz", "a.html", "b.mcap"}


@pytest.mark.parametrize(
    ("code", "extra"),
    [
        ('main(["console"])', "console"),
        ('main(["task", "insertion", "--plot", "a.png"])', "plot"),
        ('main(["suggest", "--plot", "a.png"])', "plot"),
        ('main(["doctor", "--plot", "a.png"])', "plot"),
        ('main(["export", RECORDING, "a.parquet"])', "parquet"),
        ('main(["plot", RECORDING, "--out", "a.png"])', "plot"),
        ('main(["task", "playback", "."])', "rosbags"),
        ('main(["tune", "press", "--search", "force=2..9", "--objective", "time_s"])', "tune"),
    ],
)
def test_a_missing_extra_is_named_in_one_sentence(code: str, extra: str, tmp_path: Path) -> None:
    recording = next((Path(__file__).parent / "recording" / "before").glob("*.mcap"))
    done = run(f"RECORDING = {str(recording)!r}\nfrom pliant.cli import main\n{code}", cwd=tmp_path)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    (said,) = [line for line in done.stderr.splitlines() if line.startswith("pliant: ")]
    assert said.endswith(f"not installed here: pip install 'pliant[{extra}]'")


def test_showing_an_arm_without_the_console_is_told() -> None:
    done = run("import pliant\npliant.Arm('sim:ur5e').show(browser=False)")
    assert done.stderr.splitlines()[-1].endswith("pip install 'pliant[console]'")


@pytest.mark.parametrize(
    ("use", "purpose"),
    [
        (lambda: Arm("sim:ur5e", clock="real"), "the real-time clock"),
        (lambda: Arm("attach"), "a running controller"),
        (lambda: Arm("sim:ur5e").show(), "watching an arm from another program"),
        (lambda: main(["control"]), "a controller process"),
    ],
)
def test_what_needs_linux_says_so_elsewhere(use, purpose, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(
        (PliantError, SystemExit), match=f"{purpose} needs Linux, and this is darwin"
    ):
        use()
