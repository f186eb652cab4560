"""Processes that fill the kernel cache together: compiling takes one core each."""

import time
from collections.abc import Iterable
from contextlib import ExitStack

from pliant.errors import PliantError
from pliant.processes import Child

_PROCESSES = 2
"""More would not be faster: the longest part takes almost half of the time."""

_LOOK = 0.05


def compile_in_parts(spec: str, parts: Iterable[str]) -> None:
    """Compile the kernels of a robot into the cache, in several processes at once.

    A part that fails is left out: whoever calls the kernel compiles it, and hears why it fails.

    Args:
        spec: Which robot.
        parts: Names of the parts, as in `kernel_parts`.
    """
    left = list(parts)
    with ExitStack() as ending:
        busy = [Child("compiler") for _ in range(_PROCESSES)]
        for child in busy:
            ending.callback(child.close)
            ending.callback(child.kill)
        for child in list(busy):
            _ask(child, spec, left, busy)
        while busy:
            time.sleep(_LOOK)
            for child in list(busy):
                if _has_done(child):
                    _ask(child, spec, left, busy)


def _ask(child: Child, spec: str, left: list[str], busy: list[Child]) -> None:
    """Hand the next part to a process; without one it is no longer busy."""
    if left:
        child.send({"spec": spec, "part": left.pop(0)})
    else:
        busy.remove(child)


def _has_done(child: Child) -> bool:
    """Whether a process has compiled its part, or has failed to."""
    try:
        return child.poll() is not None
    except PliantError:
        return True
