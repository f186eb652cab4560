"""Warming: once, silent when done, and tidy."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from numba.extending import is_jitted

from pliant.controller import warm_up as warm_module
from pliant.controller.warm_up import prune
from pliant.laws.hybrid_admittance.kernel import hybrid_kernel
from pliant.laws.law_base import rest
from pliant.laws.position import position_kernel
from pliant.loop.clock import clock_kernel
from pliant.loop.real_time_clock import wait_kernel
from pliant.loop.telemetry import collect
from pliant.stages.wrench.stage import wrench_kernel

DAY = 86400.0


def make_cache(root: Path, name: str, age: float) -> Path:
    folder = root / name
    folder.mkdir()
    (folder / "kernel.nbc").touch()
    os.utime(folder, (time.time() - age,) * 2)
    return folder


def test_a_complete_cache_is_left_alone(tmp_path, monkeypatch, capsys) -> None:
    (tmp_path / f"complete-6-{warm_module._installation()}").touch()
    monkeypatch.setattr(warm_module, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(warm_module, "_exercise", lambda _: 1 / 0)
    warm_module.warm()
    assert capsys.readouterr() == ("", "")


def test_an_incomplete_cache_is_filled_and_marked(tmp_path, monkeypatch, capsys) -> None:
    calls = []
    monkeypatch.setattr(warm_module, "is_jitted", lambda _: True)
    monkeypatch.setattr(warm_module, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(warm_module, "_exercise", calls.append)
    for arm in ("ur5e", "ur5e", "panda", "fr3"):
        warm_module.warm(arm)
    assert calls == ["ur5e", "panda"]
    assert capsys.readouterr() == ("", 2 * "compiling, once\n")


def test_plain_python_has_nothing_to_compile(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "pliant.controller.warm_up"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == done.stderr == ""


@pytest.mark.parametrize("arm", warm_module.ARMS)
def test_the_scenario_reaches_the_kernels_of_every_stage(arm: str) -> None:
    warm_module._exercise(arm)
    laws = (hybrid_kernel, position_kernel, rest)
    for used in (clock_kernel, wait_kernel, wrench_kernel, *laws, collect):
        assert not is_jitted(used) or used.signatures


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
