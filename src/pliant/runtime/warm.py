"""Compile the kernels once, before anything is timed: `python -m pliant.runtime.warm`."""

import contextlib
import shutil
import sys
import time
from pathlib import Path

from numba.extending import is_jitted

from pliant.errors import ArmStopped, PliantError
from pliant.kernels import cache_folder
from pliant.laws import HybridAdmittance, PoseLaw
from pliant.runtime.arm import Arm
from pliant.runtime.history import store_row
from pliant.runtime.telemetry import telemetry_line
from pliant.tick import Rows, new_rows

_MARKER = "complete"
_KEPT = 3
"""How many kernel caches stay: other checkouts have theirs in the same place."""
_GRACE = 3600.0
"""A cache younger than this may be in use by a program that runs, s."""


_warming = False


def warm() -> None:
    """Fill the kernel cache unless a complete one for these sources exists."""
    marker = cache_folder() / _MARKER
    if _warming or not is_jitted(store_row) or marker.exists():
        return
    print("compiling, once", file=sys.stderr, flush=True)
    rehearse()
    marker.touch()
    prune(cache_folder())


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


def rehearse() -> None:
    """Let a simulated arm do everything once, so that no tick has a kernel still to be loaded."""
    global _warming
    _warming = True
    try:
        _exercise()
    finally:
        _warming = False


def _exercise() -> None:
    # by itself a law has rows of another type, without joints
    HybridAdmittance().step([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0] * 6)
    with Arm("sim:ur5e/table", laws=[_Raising()], flight=False) as arm:
        arm.wait(0.01)
        arm.zero()
        for law in ("position", "hybrid_admittance"):
            arm.activate(law)
            arm.move_by([0.001, 0.0, 0.0, 0.0, 0.0, 0.01], frame="world")
            arm.move_by([0.001, 0.0, 0.0, 0.0, 0.0, 0.01], frame="tool")
            arm.wait(0.01)
        arm.set_axes("z")
        arm.deactivate()
        arm.wait(0.01)
        telemetry_line(new_rows(6))
        arm.activate(_Raising.name)
        with contextlib.suppress(ArmStopped):
            arm.wait(0.01)


if __name__ == "__main__":
    # as the module that `Arm` knows, so that each sees what the other is doing
    from pliant.runtime import warm as module

    module.warm()
