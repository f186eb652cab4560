"""A controller in real time brings its arm back when asked, under the eyes of its guardian.

What it does for that in the loop's thread, the upload of its program above all, must be short.
"""

import time

import pytest

from pliant.reasons import State
from pliant.ring.ring import RingReader
from tests.controllers import HANGS, Process
from tests.robots.sliding_controller import UR, sliding_controller
from tests.virtual_arms import is_busy

pytestmark = [pytest.mark.alone, pytest.mark.long]

_ATTEMPTS = 5
_LIFT = 0.02


@pytest.mark.parametrize("provoke", ["pendant_stop", "protective_stop", "power off"])
def test_a_guarded_controller_brings_its_arm_back(control, folder, provoke: str) -> None:
    for _ in range(_ATTEMPTS):
        with sliding_controller(control, folder, UR, "--stay") as (arm, process):
            assert arm.say(provoke) == "ok"
            if brought_back(process, RingReader(folder / "c.ring")):
                return
            process.popen.kill()
            _, _, told = process.end()
        assert is_busy(told), told
    raise AssertionError("this machine is too busy for a real arm")


def brought_back(process: Process, ring: RingReader) -> bool:
    """Whether the arm is reset and moves again; False if the controller ended meanwhile."""

    def now(column: str) -> float:
        row = ring.latest()
        assert row is not None
        return row[column].ravel()[2 if column == "X_WT" else 0]

    def comes(condition, ask: str = "") -> bool:
        deadline = time.monotonic() + HANGS
        while process.popen.poll() is None and not ring.ended:
            if condition():
                return True
            assert time.monotonic() < deadline, "it did not come to pass"
            if ask:
                process.say(ask)
            time.sleep(0.2)
        return False

    if not comes(lambda: now("state") == State.FAULT):
        return False
    if not comes(lambda: now("state") == State.INACTIVE, ask="RESET"):
        return False
    height = now("X_WT")
    process.say("LAW position")
    process.say(f"MOVE_BY 0 0 {_LIFT} 0 0 0 world")
    return comes(lambda: abs(now("X_WT") - height - _LIFT) < 1e-3)
