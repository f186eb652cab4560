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
from pliant.loop.real_time_clock import wait_kernel

DAY = 86400.0

KERNELS = [
    "pliant.loop.real_time_clock.wait_kernel",
    "pliant.stages.model.model_kernel",
    "pliant.stages.wrench.stage.wrench_kernel",
    "pliant.stages.supervisor.states.supervise",
    "pliant.stages.reference.tool_reference.tool_kernel",
    "pliant.laws.hybrid_admittance.kernel.hybrid_kernel",
    "pliant.laws.position.position_kernel",
    "pliant.laws.law_base.rest",
    "pliant.stages.resolve.resolve_kernel",
    "pliant.stages.joints.stage.joints_kernel",
    "pliant.stages.safety.stage.safety_kernel",
    "pliant.loop.telemetry_line.send_if_due",
    "pliant.loop.telemetry_line.collect",
    "pliant.controller.wakeup.set_flag_on_event",
]
"""What Python calls in every tick of a controller, whatever the arm."""

TORQUE_KERNELS = [
    "pliant.stages.model.store_dynamics",
    "pliant.stages.reference.joint_reference.joints_kernel",
    "pliant.laws.gravity.gravity_kernel",
    "pliant.laws.joint_space.inverse_dynamics.inverse_dynamics_kernel",
    "pliant.laws.cartesian_impedance.kernel.impedance_kernel",
    "pliant.laws.task_space_inverse_dynamics.kernel.pose_problem",
    "pliant.numerics.quadratic.solve_bounded",
]
"""What is called beside those for an arm that takes torques."""

REHEARSE = """
import sys
from importlib import import_module
from pliant.controller import warm_up

def not_loaded():
    found = []
    for path in sys.argv[2:]:
        module, _, name = path.rpartition(".")
        if not getattr(import_module(module), name).signatures:
            found.append(path)
    return found

assert not_loaded() == sys.argv[2:], "something was loaded before the rehearsal"
warm_up.rehearse(sys.argv[1])
print(*not_loaded(), sep="\\n")
"""


def make_cache(root: Path, name: str, age: float) -> Path:
    folder = root / name
    folder.mkdir()
    (folder / "kernel.nbc").touch()
    os.utime(folder, (time.time() - age,) * 2)
    return folder


def test_a_complete_cache_is_left_alone(tmp_path, monkeypatch, capsys) -> None:
    (tmp_path / f"complete-6-{warm_module._installation()}").touch()
    monkeypatch.setattr(warm_module, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(warm_module, "rehearse", lambda _: 1 / 0)
    warm_module.warm()
    assert capsys.readouterr() == ("", "")


def test_an_incomplete_cache_is_filled_and_marked(tmp_path, monkeypatch, capsys) -> None:
    calls = []
    monkeypatch.setattr(warm_module, "is_jitted", lambda _: True)
    monkeypatch.setattr(warm_module, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(warm_module, "rehearse", calls.append)
    monkeypatch.setattr(warm_module, "_link", lambda _: None)
    for arm in ("ur5e", "ur5e", "panda", "fr3"):
        warm_module.warm(arm)
    assert calls == ["ur5e", "panda"]
    assert capsys.readouterr() == ("", 2 * "compiling, once\n")


def test_plain_python_has_nothing_to_compile(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "pliant.controller.warm_up"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == done.stderr == ""


@pytest.mark.skipif(not is_jitted(wait_kernel), reason="plain Python has nothing to load")
@pytest.mark.parametrize("arm", warm_module.ARMS)
def test_a_rehearsal_loads_the_kernels_of_every_stage(arm: str) -> None:
    """In a process of its own: in this one, other tests have loaded them."""
    kernels = KERNELS + (TORQUE_KERNELS if arm == "panda" else [])
    command = [sys.executable, "-c", REHEARSE, arm, *kernels]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout.split() == []


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
