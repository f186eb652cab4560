"""A Franka arm under a controller process in real time, and what becomes of it when that dies."""

import signal
import time
from pathlib import Path

import numpy as np
import pytest

from pliant import Arm
from pliant.errors import PliantError
from tests.controllers import HANGS, Process
from tests.virtual_arms import TooBusyError, VirtualArm, is_busy, with_virtual_arm

from .franka_loops import HAND, franky

pytestmark = pytest.mark.alone

ATTEMPTS = 10


def moves(spec: str) -> None:
    """Hold, then move under two laws."""
    with Arm(spec, clock="real", config={"tool": HAND}) as arm:
        q = arm.tick.q
        arm.activate("gravity")
        arm.wait(0.5)
        assert np.abs(arm.tick.q - q).max() < 0.02
        for law in ("cartesian_impedance", "inverse_dynamics"):
            arm.activate(law)
            if law == "cartesian_impedance":
                z = arm.tick.X_WT[2]
                arm.move_by([0, 0, 0.03, 0, 0, 0])
                assert arm.tick.X_WT[2] - z == pytest.approx(0.03, abs=0.01)
            else:
                arm.home(arm.tick.q + 0.05, time=1.0)
            assert not arm.reason


def test_franky_sim_holds_and_moves_in_real_time() -> None:
    for _ in range(ATTEMPTS):
        with franky("--paced") as server:
            try:
                return moves(f"franka:{server.host}")
            except PliantError as error:
                if not is_busy(str(error)) and "no state from" not in str(error):
                    raise
    raise AssertionError("this machine is too busy for a real arm")


def rises(process: Process, folder: Path) -> bool:
    """Wait until the arm moves; False if a busy machine ended its controller before."""
    try:
        ring = process.ready(folder)
    except AssertionError as error:
        assert is_busy(str(error)) or "no state from" in str(error)
        return False
    process.say("MOVE_BY 0 0 0.1 0 0 0")
    deadline = time.monotonic() + HANGS
    while process.popen.poll() is None and time.monotonic() < deadline:
        row = ring.latest()
        if row is not None and row["v_WT_W"][0, 2] > 0.03:
            return True
        time.sleep(0.002)
    return False


def empty(folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()


def test_a_killed_controller_leaves_an_arm_that_brakes(control, folder) -> None:
    def kill(arm: VirtualArm) -> None:
        process = control("--robot", f"franka:{arm.host}", "--law", "cartesian_impedance")
        if not rises(process, folder):
            process.popen.kill()
            process.popen.wait()
            empty(folder)
            raise TooBusyError
        process.popen.kill()
        status, _, told = process.end()
        empty(folder)
        assert status == -signal.SIGKILL
        # on a busy machine the guardian may have ended it first
        assert "died without a last word" in told or "the guardian ended the controller" in told
        while arm.truth()["mode"] == "move":
            time.sleep(0.01)
        time.sleep(0.5)
        truth = arm.truth()
        assert truth["reflexes"] == {"communication_constraints_violation": 1}
        assert np.abs(truth["dq"]).max() < 1e-3

    with_virtual_arm(kill, "fr3")
