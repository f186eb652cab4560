"""Compiles the kernels of an arm once, before anything is timed.

`python -m pliant.controller.warm_up [spec …]`, by default for a UR5e.
"""

import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from llvmlite.binding import get_host_cpu_features, get_host_cpu_name
from numba.core import config as numba_config

from pliant.arms.description import ArmDescription
from pliant.config import Config
from pliant.controller.arm_config import configure
from pliant.controller.compile_progress import CompileProgress
from pliant.controller.wakeup import compile_wakeup
from pliant.extras import on_linux
from pliant.loop.clock import FastClock
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.loop.real_time_clock import RealTimeClock
from pliant.numerics.kernels import SHIPPED, cache_folder
from pliant.ring.ring import RingWriter
from pliant.robots.base import Robot
from pliant.robots.registry import describe_robot, open_robot
from pliant.sim.spec import PREFIX
from pliant.tick import Rows, new_rows

DEFAULT = "sim:ur5e"
"""The robot whose kernels `make setup` compiles."""

_KEPT = 3
"""How many kernel caches stay: other versions have theirs in the same place."""
_GRACE = 86400.0
"""A cache that was used within this time stays, s: a program that runs may still load from it."""

_MOMENT = 1e-3


def warm(spec: str = DEFAULT) -> None:
    """Fill the kernel cache for a robot, unless it is complete for these sources already.

    Kernels are compiled for a number of joints, with or without torque, not for an arm.
    """
    arm = describe_robot(spec)
    if numba_config.DISABLE_JIT or _complete(f"{arm.n}-{arm.interface}"):
        return
    with CompileProgress(arm.interface):
        compile_kernels(spec)
    # a home that cannot be written has no cache, and compiles at every start
    with contextlib.suppress(OSError):
        _marker(cache_folder(), f"{arm.n}-{arm.interface}", _processor()).touch()
    prune(cache_folder())


def _complete(kind: str) -> bool:
    """Whether all kernels for a kind of arm are there, in the user's cache or shipped."""
    own = _marker(cache_folder(), kind, _processor())
    if own.exists():
        # the time of its last use, by which `prune` chooses
        with contextlib.suppress(OSError):
            os.utime(cache_folder())
        return True
    return _marker(SHIPPED / cache_folder().name, kind, "generic").exists()


def _marker(folder: Path, kind: str, processor: str) -> Path:
    """The file that says that all kernels for a kind of arm and a processor are there."""
    return folder / f"complete-{kind}-{processor}"


def _processor() -> str:
    """The processor that kernels are compiled for."""
    if os.environ.get("NUMBA_CPU_NAME") == "generic":
        return "generic"
    features = f"{get_host_cpu_name()} {get_host_cpu_features().flatten()}"
    return hashlib.sha256(features.encode()).hexdigest()[:16]


def prune(current: Path) -> None:
    """Remove the caches beside the current one that were not used for longest."""
    others = [f for f in current.parent.glob("kernels-*") if f.is_dir() and f != current]
    # another process may be pruning at the same time
    with contextlib.suppress(FileNotFoundError):
        others.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
        for folder in others[_KEPT - 1 :]:
            if time.time() - folder.stat().st_mtime > _GRACE:
                shutil.rmtree(folder, ignore_errors=True)


def compile_kernels(spec: str) -> None:
    """Compile or load everything that a controller of a robot calls."""
    arm = describe_robot(spec)
    if spec.startswith(PREFIX):
        robot = open_robot(spec, configure(spec, None, None))
        robot.read(new_rows(arm.n))
    still = StillRobot(arm)
    history = History(arm.n, 1)
    loop = Loop(still, arm, FastClock(still.dt), Config(), publisher=history)
    loop.step()
    if not on_linux():
        return
    RealTimeClock(_MOMENT).wait(new_rows(arm.n), new_rows(arm.n))
    compile_wakeup()
    with tempfile.TemporaryDirectory() as folder:
        RingWriter(Path(folder) / "warm.ring", arm.n, 1, {}).close()


class StillRobot(Robot):
    """An arm at home that never moves, and feels nothing."""

    simulated = True

    def __init__(self, arm: ArmDescription) -> None:
        self.description = arm

    def read(self, tick: Rows) -> None:
        """Report the home position, and no force."""
        tick["q"] = self.description.home
        tick["temperature"] = 25.0
        tick["sensor_seq"] += 1
        tick["tau_ext"] = np.nan

    def write(self, tick: Rows) -> None:
        """Note what would be sent."""
        tick["q_sent"], tick["tau_sent"] = tick["q_limited"], tick["tau_limited"]


if __name__ == "__main__":
    for some in sys.argv[1:] or [DEFAULT]:
        warm(some)
