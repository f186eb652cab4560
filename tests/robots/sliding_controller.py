"""A controller in a process of its own whose arm slides along a table."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pliant.reasons import State
from pliant.ring.ring import RingReader
from tests.controllers import HANGS, Process
from tests.virtual_arms import VirtualArm, virtual_arm

_ATTEMPTS = 10
_PRESS = ("SET_AXES 0 0 1 0 0 0", "SET_WRENCH 0 0 -5 0 0 0")


@dataclass(frozen=True, kw_only=True)
class Slider:
    """Which arm slides.

    Attributes:
        section: The prefix of its spec.
        options: Arm and scene, and further words for `pliant virtual`.
        law: The law.
        near: How near to its target the tool must come above the table, m.
        speed: The speed at which it slides, m/s.
    """

    section: str
    options: tuple[str, ...]
    law: str
    near: float
    speed: float


UR = Slider(section="ur", options=("ur5e/table",), law="hybrid_admittance", near=5e-4, speed=0.04)
FRANKA = Slider(
    section="franka",
    options=("fr3/table", "--clock", "lockstep"),
    law="hybrid_force",
    # friction leaves its springs some millimetres short
    near=4e-3,
    speed=0.03,
)
FRANKA_REAL = replace(FRANKA, options=("fr3/table",))


@contextmanager
def sliding_controller(
    control: Callable[..., Process], folder: Path, kind: Slider = UR, *words: str
) -> Iterator[tuple[VirtualArm, Process]]:
    """An arm that presses on a table with 5 N and slides, and its controller, which is to be ended.

    On a busy machine the guardian may stop it before: then both are made anew.

    Args:
        control: Starts a controller; the fixture of that name.
        folder: The runtime folder.
        kind: Which arm.
        words: More of the controller's command line.
    """
    for _ in range(_ATTEMPTS):
        with virtual_arm(*kind.options) as arm:
            process = control("--robot", f"{kind.section}:{arm.host}", "--law", kind.law, *words)
            slides = _slides(process, folder, kind)
            if slides:
                yield arm, process
            process.popen.kill()
            process.popen.wait()
        for file in folder.iterdir():
            file.unlink()
        if slides:
            return
    raise AssertionError("this machine is too busy for a real arm")


def _slides(process: Process, folder: Path, kind: Slider) -> bool:
    try:
        ring = process.ready(folder)
    except AssertionError:
        return False

    def now(column: str, axis: int) -> float:
        row = ring.latest()
        return 0.0 if row is None else row[column][0, axis]

    # near the table, which is 50 mm below the tool
    target = now("X_WT", 2) - 0.045
    process.say("MOVE_BY 0 0 -0.045 0 0 0 world 0.1")
    if not _until(process, ring, lambda: now("X_WT", 2) - target < kind.near):
        return False
    for line in _PRESS:
        process.say(line)
    if not _until(process, ring, lambda: now("w_T", 2) < -4.0):
        return False
    process.say("MOVE_BY -0.1 0 0 0 0 0 world 0.05")
    return _until(process, ring, lambda: abs(now("v_WT_W", 0)) > kind.speed)


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
