"""Compiles the kernels of an arm once, before anything is timed.

`python -m pliant.controller.warm_up [spec …]`, by default for a UR5e.
"""

import contextlib
import hashlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from llvmlite.binding import get_host_cpu_features, get_host_cpu_name
from numba.core import config as numba_config

from pliant.controller.arm_kernels import compile_kernels, kernel_parts
from pliant.controller.compile_progress import CompileProgress
from pliant.controller.compilers import compile_in_parts
from pliant.controller.progress_line import ProgressLine
from pliant.numerics.kernels import SHIPPED, SOURCES, cache_folder
from pliant.robots.registry import describe_robot

DEFAULT = "sim:ur5e"
"""The robot whose kernels `make setup` compiles."""

_GRACE = 30 * 86400.0
"""A compiled kernel stays for this long after its last use, s."""

_COMPLETE = "complete"
"""How the names of files begin that say that all kernels are there."""


def warm(spec: str = DEFAULT, tell: Callable[[str], None] | None = None) -> None:
    """Fill the kernel cache for a robot, unless it is complete for these sources already.

    Kernels are compiled for a number of joints, with or without torque, not for an arm.

    Args:
        spec: Which robot.
        tell: Called now and then with how far it is, in a thread of its own; None prints it.
    """
    arm = describe_robot(spec)
    if numba_config.DISABLE_JIT or _complete(f"{arm.n}-{arm.interface}"):
        return
    line = ProgressLine()
    with CompileProgress(cache_folder(), arm.interface, tell or line.say) as progress:
        if _writable(cache_folder()):
            compile_in_parts(spec, kernel_parts(spec))
        # loads them, and compiles what is missing
        compile_kernels(spec)
        done = progress.done
    if done and tell is None:
        line.finish(f"compiled {done} kernels in {progress.seconds:.0f} s, once")
    prune(cache_folder().parent)
    # a home that cannot be written has no cache, and compiles at every start
    with contextlib.suppress(OSError):
        _marker(cache_folder(), f"{arm.n}-{arm.interface}", _processor()).touch()


def _writable(folder: Path) -> bool:
    """Whether kernels can be saved in a folder, which is made if need be."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return os.access(folder, os.W_OK)


def _complete(kind: str) -> bool:
    """Whether all kernels for a kind of arm are there, in the user's cache or shipped."""
    own = _marker(cache_folder(), kind, _processor())
    return own.exists() or _marker(SHIPPED / cache_folder().name, kind, "generic").exists()


def _marker(folder: Path, kind: str, processor: str) -> Path:
    """The file that says that all kernels for a kind of arm and a processor are there."""
    return folder / f"{_COMPLETE}-{kind}-{processor}-{SOURCES.whole}"


def _processor() -> str:
    """The processor that kernels are compiled for."""
    if os.environ.get("NUMBA_CPU_NAME") == "generic":
        return "generic"
    features = f"{get_host_cpu_name()} {get_host_cpu_features().flatten()}"
    return hashlib.sha256(features.encode()).hexdigest()[:16]


def prune(caches: Path) -> None:
    """Remove compiled kernels that nobody has used for long, and what says that they are there."""
    for folder in caches.glob("kernels-*"):
        now = time.time()
        # another process may be pruning at the same time
        with contextlib.suppress(OSError):
            old = [f for f in folder.glob("*.kernel") if now - f.stat().st_mtime > _GRACE]
            if not old:
                continue
            for file in [*folder.glob(f"{_COMPLETE}-*"), *old]:
                file.unlink()
            if not any(folder.iterdir()):
                folder.rmdir()


if __name__ == "__main__":
    for some in sys.argv[1:] or [DEFAULT]:
        warm(some)
