"""Warming: once, silent when done, and tidy."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pliant.arms.description import load_arm
from pliant.controller import warm_up as warm_module
from pliant.controller.compile_progress import KERNELS, CompileProgress
from pliant.controller.warm_up import prune
from pliant.errors import UnknownNameError
from pliant.loop.real_time_clock import wait_kernel
from pliant.numerics.kernels import Kernel

DAY = 86400.0

DRIVE = Path(__file__).parent / "loads_later.py"

TORQUE_ONLY = ["FollowHand", "Home", "Playback", "SetOutput", "SetTorque", "Sinus"]
"""Commands that an arm which takes positions always refuses."""


WHOLE = warm_module.SOURCES.whole


def make_file(folder: Path, name: str, age: float) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).touch()
    then = time.time() - age
    os.utime(folder / name, (then, then))
    return folder / name


@pytest.fixture
def compiled(tmp_path, monkeypatch) -> list[str]:
    """The robots whose kernels are compiled; the caches, of the user and shipped, are empty."""
    calls: list[str] = []
    monkeypatch.setattr(warm_module, "cache_folder", lambda: tmp_path / "kernels-x")
    monkeypatch.setattr(warm_module, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setattr(warm_module, "compile_in_parts", lambda spec, parts: None)
    monkeypatch.setattr(warm_module, "compile_kernels", calls.append)
    monkeypatch.setattr(warm_module.numba_config, "DISABLE_JIT", 0)
    (tmp_path / "kernels-x").mkdir()
    (tmp_path / "shipped/kernels-x").mkdir(parents=True)
    return calls


def test_a_complete_cache_is_left_alone(compiled, tmp_path, capsys) -> None:
    (tmp_path / f"kernels-x/complete-6-position-{warm_module._processor()}-{WHOLE}").touch()
    warm_module.warm()
    warm_module.warm("sim:ur5e/peg")
    assert compiled == []
    assert capsys.readouterr() == ("", "")


def test_shipped_kernels_are_complete_on_any_processor(compiled, tmp_path) -> None:
    (tmp_path / f"shipped/kernels-x/complete-6-position-generic-{WHOLE}").touch()
    warm_module.warm()
    assert compiled == []
    warm_module.warm("sim:panda")
    assert compiled == ["sim:panda"]


def test_kernels_for_another_processor_do_not_count(compiled, tmp_path) -> None:
    (tmp_path / f"kernels-x/complete-6-position-0123456789abcdef-{WHOLE}").touch()
    (tmp_path / f"shipped/kernels-x/complete-6-position-0123456789abcdef-{WHOLE}").touch()
    warm_module.warm()
    assert compiled == ["sim:ur5e"]


def test_an_incomplete_cache_is_filled_and_marked(compiled, tmp_path, capsys) -> None:
    for arm in ("ur5e", "ur5e/peg", "panda", "fr3"):
        warm_module.warm(f"sim:{arm}")
    assert compiled == ["sim:ur5e", "sim:panda"]
    own = warm_module._processor()
    assert {file.name for file in (tmp_path / "kernels-x").iterdir()} == {
        f"complete-6-position-{own}-{WHOLE}",
        f"complete-7-torque-{own}-{WHOLE}",
    }
    assert capsys.readouterr() == ("", ""), "nothing was compiled after all"


def test_a_cache_that_cannot_be_written_stops_nothing(compiled, tmp_path) -> None:
    (tmp_path / "kernels-x").rmdir()
    (tmp_path / "kernels-x").touch()
    warm_module.warm()
    warm_module.warm()
    assert compiled == 2 * ["sim:ur5e"]


def test_how_far_it_is_is_told_by_the_kernels_in_the_cache(tmp_path) -> None:
    make_file(tmp_path, "before.kernel", 0.0)
    progress = CompileProgress(tmp_path, "position", lambda _text: None)
    assert progress._text() == "compiling: 0 s"
    for i in range(90):
        make_file(tmp_path, f"{i}.kernel", 0.0)
    assert progress.done == 90
    assert progress._text().startswith(f"compiling, once: {100.0 * 90 / KERNELS['position']:.0f} %")
    for i in range(400):
        make_file(tmp_path, f"{i}.kernel", 0.0)
    # the text goes on changing, so that it does not look like a stall
    assert progress._text() == "compiling, once: almost done after 0 s"
    progress._begun -= 7.0
    assert progress._text() == "compiling, once: almost done after 7 s"


def test_it_says_how_far_it_is_again_and_again(tmp_path) -> None:
    told, enough = [], threading.Event()

    def tell(text: str) -> None:
        told.append(text)
        if len(told) == 2:
            enough.set()

    with CompileProgress(tmp_path, "torque", tell):
        enough.wait()
    assert len(told) >= 2


@pytest.mark.long
@pytest.mark.parametrize("spec", ["sim:ur5e", "sim:panda"])
def test_processes_that_share_the_work_leave_nothing_to_compile(spec, tmp_path) -> None:
    environment = os.environ | {"PLIANT_KERNELS": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-m", "pliant.controller.warm_up", spec]
    done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, check=True)
    compiled = len(list(tmp_path.rglob("*.kernel")))
    expected = KERNELS[load_arm(spec.removeprefix("sim:")).interface]
    assert compiled == pytest.approx(expected, rel=0.1)
    assert f"compiled {compiled} kernels in" in done.stderr.splitlines()[-1]
    command = [sys.executable, str(DRIVE), "warm", spec]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    assert json.loads(done.stdout)["compiled"] == 0
    assert len(list(tmp_path.rglob("*.kernel"))) == compiled


def test_an_unknown_robot_is_refused_before_anything_is_compiled(compiled) -> None:
    with pytest.raises(UnknownNameError, match="ur5e"):
        warm_module.warm("sim:ur99")
    assert compiled == []


def test_plain_python_has_nothing_to_compile(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "pliant.controller.warm_up"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == done.stderr == ""


@pytest.mark.skipif(not isinstance(wait_kernel, Kernel), reason="plain Python has nothing to load")
@pytest.mark.parametrize("way", ["warm", "built"])
@pytest.mark.parametrize(
    ("spec", "refused"), [("sim:ur5e", TORQUE_ONLY), ("sim:panda", [])], ids=["ur5e", "panda"]
)
def test_no_tick_waits_for_a_kernel(way: str, spec: str, refused: list[str]) -> None:
    """After warming, or after everything is built: under every law, command and failure."""
    command = [sys.executable, str(DRIVE), way, spec]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    result = json.loads(done.stdout)
    assert [name for name, _types in result["late"]] == []
    assert result["compiled"] == 0
    assert result["not_obeyed"] == refused


def test_kernels_of_other_sources_do_not_count(compiled, tmp_path) -> None:
    (tmp_path / f"kernels-x/complete-6-position-{warm_module._processor()}-0123").touch()
    warm_module.warm()
    assert compiled == ["sim:ur5e"]


def test_what_nobody_used_for_a_month_goes(tmp_path: Path) -> None:
    current, older = tmp_path / "kernels-1", tmp_path / "kernels-0"
    used = make_file(current, "a.kernel", 29 * DAY)
    mark = make_file(current, "complete-6-position-x-y", 29 * DAY)
    stranger = make_file(tmp_path / "recordings", "a.kernel", 90 * DAY)
    for i in range(3):
        make_file(older, f"{i}.kernel", 31 * DAY)
    prune(tmp_path)
    assert used.exists()
    assert mark.exists()
    assert stranger.exists()
    assert not older.exists()


def test_a_cache_that_lost_kernels_is_not_complete(tmp_path: Path) -> None:
    unused = make_file(tmp_path / "kernels-0", "a.kernel", 31 * DAY)
    used = make_file(tmp_path / "kernels-0", "b.kernel", DAY)
    mark = make_file(tmp_path / "kernels-0", "complete-6-position-x-y", DAY)
    prune(tmp_path)
    assert [file.exists() for file in (unused, used, mark)] == [False, True, False]
