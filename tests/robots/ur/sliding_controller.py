"""A controller in a process of its own whose arm slides along a table."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pliant.reasons import State
from pliant.ring.ring import RingReader
from tests.controllers import HANGS, Process
from tests.virtual_arms import VirtualArm, virtual_arm

_ATTEMPTS = 10
_PRESS = ("SET_AXES 0 0 1 0 0 0", "SET_WRENCH 0 0 -5 0 0 0")


@contextmanager
def sliding_controller(
    control: Callable[..., Process], folder: Path
) -> Iterator[tuple[VirtualArm, Process]]:
    """An arm that presses on a table with 5 N and slides, and its controller, which is to be ended.

    On a busy machine the guardian may stop it before: then both are made anew.

    Args:
        control: Starts a controller; the fixture of that name.
        folder: The runtime folder.
    """
    for _ in range(_ATTEMPTS):
        with virtual_arm("ur5e/table") as arm:
            process = control("--robot", f"ur:{arm.host}")
            slides = _slides(process, folder)
            if slides:
                yield arm, process
            process.popen.kill()
            process.popen.wait()
        for file in folder.iterdir():
            file.unlink()
        if slides:
            return
    raise AssertionError("this machine is too busy for a real arm")


def _slides(process: Process, folder: Path) -> bool:
    try:
        ring = process.ready(folder)
    except AssertionError:
        return False

    def now(column: str, axis: int) -> float:
        row = ring.latest()
        return 0.0 if row is None else row[column][0, axis]

    # near the table, which is 50 mm below the tool
    process.say("MOVE_BY 0 0 -0.045 0 0 0 world 0.1")
    if not _until(process, ring, lambda: abs(now("X_WT", 2) - 0.105) < 5e-4):
        return False
    for line in _PRESS:
        process.say(line)
    if not _until(process, ring, lambda: now("w_T", 2) < -4.0):
        return False
    process.say("MOVE_BY -0.1 0 0 0 0 0 world 0.05")
    return _until(process, ring, lambda: abs(now("v_WT_W", 0)) > 0.04)


def _until(process: Process, ring: RingReader, condition: Callable[[], bool]) -> bool:
    """Wait; False if the arm was stopped meanwhile."""
    deadline = time.monotonic() + HANGS
    while time.monotonic() < deadline and process.popen.poll() is None:
        row = ring.latest()
        if row is not None and row["state"].item() != State.ACTIVE:
            return False
        if condition():
            return True
        time.sleep(0.002)
    return False
