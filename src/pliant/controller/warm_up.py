"""Compile the kernels once, before anything is timed: `python -m pliant.controller.warm_up`."""

import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numba.extending import is_jitted

from pliant.api.arm import Arm
from pliant.arms import load_arm
from pliant.config import Config
from pliant.controller.wakeup import Bell
from pliant.errors import ArmStopped, PliantError, Refused
from pliant.laws import HybridAdmittance, PoseLaw
from pliant.loop.history import store_row
from pliant.loop.loop import Loop
from pliant.loop.real_time_clock import RealTimeClock
from pliant.loop.telemetry import Telemetry, collect
from pliant.numerics import kernels
from pliant.numerics.kernels import cache_folder
from pliant.ring.ring import RingWriter
from pliant.robots.sim import SimRobot
from pliant.tick import Rows, new_rows

ARMS = ("ur5e", "panda")
"""One arm for each number of joints: kernels are compiled for that, not for the arm."""

_KEPT = 3
"""How many kernel caches stay: other checkouts have theirs in the same place."""
_GRACE = 3600.0
"""A cache younger than this may be in use by a program that runs, s."""

_MOMENT = 1e-3

_warming = False


def warm(arm: str = "ur5e") -> None:
    """Fill the kernel cache unless a complete one for these sources and such an arm exists."""
    marker = cache_folder() / f"complete-{load_arm(arm).n}-{_installation()}"
    if _warming or not is_jitted(store_row) or marker.exists():
        return
    print("compiling, once", file=sys.stderr, flush=True)
    rehearse(arm)
    _link(arm)
    marker.touch()
    prune(cache_folder())


def _installation() -> str:
    """Which copy of the sources this is: Numba keeps kernels by path and time of their files."""
    file = Path(kernels.__file__)
    return hashlib.sha256(f"{file} {file.stat().st_mtime_ns}".encode()).hexdigest()[:16]


def prune(current: Path) -> None:
    """Remove the oldest caches beside the current one."""
    others = [f for f in current.parent.glob("kernels-*") if f.is_dir() and f != current]
    # another process may be pruning at the same time
    with contextlib.suppress(FileNotFoundError):
        others.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
        for folder in others[_KEPT - 1 :]:
            if time.time() - folder.stat().st_mtime > _GRACE:
                shutil.rmtree(folder, ignore_errors=True)


class _Raising(PoseLaw):
    """A law that fails, because the way to a stop must be compiled too."""

    name = "raising"

    def update(self, prev: Rows, tick: Rows) -> None:
        """Fail."""
        raise PliantError("on purpose")


def rehearse(arm: str = "ur5e") -> None:
    """Let a simulated arm do everything once, so that no tick has a kernel still to be loaded."""
    global _warming
    _warming = True
    try:
        _exercise(arm)
    finally:
        _warming = False


def _exercise(name: str) -> None:
    # by itself a law has rows of another type, without joints
    HybridAdmittance().step([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0] * 6)
    with Arm(f"sim:{name}/table", laws=[_Raising()], flight=False) as arm:
        arm.wait(0.01)
        arm.zero()
        for law in arm.laws[:-1]:
            arm.activate(law)
            # what a law that follows no tool refuses
            with contextlib.suppress(Refused):
                arm.move_by([0.001, 0.0, 0.0, 0.0, 0.0, 0.01], frame="world")
                arm.move_by([0.001, 0.0, 0.0, 0.0, 0.0, 0.01], frame="tool")
            arm.wait(0.01)
        if load_arm(name).takes_torque:
            arm.use_preset("homing")
            arm.wait(0.01)
        arm.set_axes("z")
        arm.deactivate()
        arm.wait(0.01)
        _tell_and_wait(load_arm(name).n)
        arm.activate(_Raising.name)
        with contextlib.suppress(ArmStopped):
            arm.wait(0.01)


def _link(name: str) -> None:
    """What a controller makes when it starts, so that it need not be rehearsed."""
    robot = SimRobot(name)
    with tempfile.TemporaryDirectory() as folder:
        ring = RingWriter(Path(folder) / "ring", robot.n, 1, {})
        clock = RealTimeClock(robot.dt)
        Loop(robot, robot.description, clock, Config(), publisher=ring).link()


def _tell_and_wait(n: int) -> None:
    """What only a controller does, and a recorder of tables."""
    row = new_rows(n)
    read, write = os.pipe()
    Telemetry(1, write).after(row)
    Bell(read).close()
    os.close(read)
    os.close(write)
    collect(row, np.empty(25 + 2 * n))
    RealTimeClock(_MOMENT).wait(new_rows(n), row)


if __name__ == "__main__":
    # as the module that `Arm` knows, so that each sees what the other is doing
    from pliant.controller import warm_up as module

    for some in module.ARMS:
        module.warm(some)
