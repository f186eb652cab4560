"""Warming: once, silent when done, and tidy."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from numba.extending import is_jitted

from pliant.controller import warm_up as warm_module
from pliant.controller.warm_up import prune
from pliant.errors import UnknownNameError
from pliant.loop.real_time_clock import wait_kernel

DAY = 86400.0

DRIVE = Path(__file__).parent / "loads_later.py"

TORQUE_ONLY = ["FollowHand", "Home", "Playback", "SetOutput", "SetTorque", "Sinus"]
"""Commands that an arm which takes positions always refuses."""


def make_cache(root: Path, name: str, age: float) -> Path:
    folder = root / name
    folder.mkdir()
    (folder / "kernel.nbc").touch()
    os.utime(folder, (time.time() - age,) * 2)
    return folder


@pytest.fixture
def compiled(tmp_path, monkeypatch) -> list[str]:
    """The robots whose kernels are compiled; the caches, of the user and shipped, are empty."""
    calls: list[str] = []
    monkeypatch.setattr(warm_module, "cache_folder", lambda: tmp_path / "kernels-x")
    monkeypatch.setattr(warm_module, "SHIPPED", tmp_path / "shipped")
    monkeypatch.setattr(warm_module, "compile_kernels", calls.append)
    monkeypatch.setattr(warm_module.numba_config, "DISABLE_JIT", 0)
    (tmp_path / "kernels-x").mkdir()
    (tmp_path / "shipped/kernels-x").mkdir(parents=True)
    return calls


def test_a_complete_cache_is_left_alone(compiled, tmp_path, capsys) -> None:
    (tmp_path / f"kernels-x/complete-6-position-{warm_module._processor()}").touch()
    warm_module.warm()
    warm_module.warm("sim:ur5e/peg")
    assert compiled == []
    assert capsys.readouterr() == ("", "")


def test_shipped_kernels_are_complete_on_any_processor(compiled, tmp_path) -> None:
    (tmp_path / "shipped/kernels-x/complete-6-position-generic").touch()
    warm_module.warm()
    assert compiled == []
    warm_module.warm("sim:panda")
    assert compiled == ["sim:panda"]


def test_kernels_for_another_processor_do_not_count(compiled, tmp_path) -> None:
    (tmp_path / "kernels-x/complete-6-position-0123456789abcdef").touch()
    (tmp_path / "shipped/kernels-x/complete-6-position-0123456789abcdef").touch()
    warm_module.warm()
    assert compiled == ["sim:ur5e"]


def test_an_incomplete_cache_is_filled_and_marked(compiled, tmp_path, capsys) -> None:
    for arm in ("ur5e", "ur5e/peg", "panda", "fr3"):
        warm_module.warm(f"sim:{arm}")
    assert compiled == ["sim:ur5e", "sim:panda"]
    own = warm_module._processor()
    assert {file.name for file in (tmp_path / "kernels-x").iterdir()} == {
        f"complete-6-position-{own}",
        f"complete-7-torque-{own}",
    }
    assert capsys.readouterr() == ("", ""), "nothing was compiled after all"


def test_a_cache_that_cannot_be_written_stops_nothing(compiled, tmp_path) -> None:
    (tmp_path / "kernels-x").rmdir()
    warm_module.warm()
    warm_module.warm()
    assert compiled == 2 * ["sim:ur5e"]


def test_an_unknown_robot_is_refused_before_anything_is_compiled(compiled) -> None:
    with pytest.raises(UnknownNameError, match="ur5e"):
        warm_module.warm("sim:ur99")
    assert compiled == []


def test_plain_python_has_nothing_to_compile(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "pliant.controller.warm_up"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == done.stderr == ""


@pytest.mark.skipif(not is_jitted(wait_kernel), reason="plain Python has nothing to load")
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


def test_old_caches_go_and_the_newest_stay(tmp_path: Path) -> None:
    current = make_cache(tmp_path, "kernels-current", 9 * DAY)
    folders = [make_cache(tmp_path, f"kernels-{i}", i * DAY) for i in range(1, 6)]
    stranger = make_cache(tmp_path, "recordings", 9 * DAY)
    prune(current)
    assert current.exists()
    assert stranger.exists()
    assert [folder.exists() for folder in folders] == [True, True, False, False, False]


def test_a_cache_that_may_be_in_use_stays(tmp_path: Path) -> None:
    current = make_cache(tmp_path, "kernels-current", 0.0)
    folders = [make_cache(tmp_path, f"kernels-{i}", 60.0 * i) for i in range(1, 6)]
    prune(current)
    assert all(folder.exists() for folder in folders)
