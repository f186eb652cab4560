"""Compiles the kernels once, before anything is timed: `python -m pliant.controller.warm_up`."""

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

from pliant import commands as c
from pliant.arms import load_arm
from pliant.config import Config
from pliant.controller.arm_config import configure
from pliant.controller.wakeup import Wakeup
from pliant.errors import ArmStopped, PliantError, Refused
from pliant.laws import HybridAdmittance, PoseLaw
from pliant.loop.history import store_row
from pliant.loop.loop import Loop
from pliant.loop.real_time_clock import RealTimeClock
from pliant.loop.simulated_loop import SimulatedLoop
from pliant.loop.telemetry_line import Telemetry, collect
from pliant.numerics import kernels
from pliant.numerics.kernels import cache_folder
from pliant.ring.ring import RingWriter
from pliant.robots.sim import SimRobot
from pliant.tick import Rows, new_rows

ARMS = ("ur5e", "panda")
"""One arm for each number of joints: kernels are compiled for that number, not for the arm."""

_KEPT = 3
"""How many kernel caches stay: other checkouts have theirs in the same place."""
_GRACE = 3600.0
"""A cache younger than this may be in use by a running program, s."""

_MOMENT = 1e-3


def warm(arm: str = "ur5e") -> None:
    """Fill the kernel cache, unless a complete one for these sources and this arm exists."""
    marker = cache_folder() / f"complete-{load_arm(arm).n}-{_installation()}"
    if not is_jitted(store_row) or marker.exists():
        return
    print("compiling, once", file=sys.stderr, flush=True)
    rehearse(arm)
    _link(arm)
    marker.touch()
    prune(cache_folder())


def _installation() -> str:
    """Identifies this copy of the sources: Numba keys kernels by path and time of their files."""
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
    """A law that fails: what a controlled stop runs must be compiled too."""

    name = "raising"

    def update(self, prev: Rows, tick: Rows) -> None:
        """Fail."""
        raise PliantError("on purpose")


def rehearse(arm: str = "ur5e") -> None:
    """Let a simulated arm do everything once, so that no tick has to load a kernel."""
    # by itself a law has rows of another type, without joints
    HybridAdmittance().step([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0] * 6)
    _, config = configure(f"sim:{arm}/table", None, None)
    simulated = SimulatedLoop(arm, config, [_Raising()])
    simulated.wait(0.01)
    simulated.zero()
    for law in simulated.loop.supervisor.law_names[:-1]:
        simulated.give(c.Activate(law=law))
        # a law that follows no tool reference refuses these
        with contextlib.suppress(Refused):
            simulated.give(c.MoveBy(delta=(0.001, 0.0, 0.0, 0.0, 0.0, 0.01), frame="world"))
            simulated.give(c.MoveBy(delta=(0.001, 0.0, 0.0, 0.0, 0.0, 0.01), frame="tool"))
        simulated.wait(0.01)
    if load_arm(arm).takes_torque:
        simulated.give(c.UsePreset(name="homing"))
        simulated.wait(0.01)
    simulated.give(c.SetAxes(mask=(False, False, True, False, False, False)))
    simulated.give(c.Deactivate())
    simulated.wait(0.01)
    _write_and_wait(load_arm(arm).n)
    simulated.give(c.Activate(law=_Raising.name))
    with contextlib.suppress(ArmStopped):
        simulated.wait(0.01)


def _link(arm: str) -> None:
    """Compile what a controller links when it starts."""
    robot = SimRobot(arm)
    with tempfile.TemporaryDirectory() as folder:
        ring = RingWriter(Path(folder) / "ring", robot.n, 1, {})
        clock = RealTimeClock(robot.dt)
        Loop(robot, robot.description, clock, Config(), publisher=ring).link()


def _write_and_wait(n: int) -> None:
    """Run the kernels that only a controller needs, and a recorder of tables."""
    row = new_rows(n)
    read, write = os.pipe()
    Telemetry(1, write).after(row)
    Wakeup(read).close()
    os.close(read)
    os.close(write)
    collect(row, np.empty(25 + 2 * n))
    RealTimeClock(_MOMENT).wait(new_rows(n), row)


if __name__ == "__main__":
    for some in ARMS:
        warm(some)
