"""A program that knows nothing but the protocol of the force-control demo drives a controller."""

import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest

from pliant.ring.runtime_folder import clean_up
from tests.virtual_arms import TooBusyError, on_virtual_arm

HANGS = 120.0
"""After this long, s, whatever is waited for will not come."""

GROUPS = ("tcp", "ref", "ws", "wd", "q", "T")


class Program:
    """What the demo's documentation tells one to write: seven words out, `TELEM:` lines in."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pliant.cli", "control", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.telemetry: list[np.ndarray] = []
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def send(self, word: str, *values: float) -> None:
        assert self.process.stdin
        print(word, *values, file=self.process.stdin, flush=True)

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            if line.startswith("TELEM:"):
                self.telemetry.append(self._parse(line))

    @staticmethod
    def _parse(line: str) -> np.ndarray:
        fields = dict(part.split("=") for part in line.removeprefix("TELEM:").split())
        numbers = [float(fields["t"])]
        for group in GROUPS:
            numbers += [float(number) for number in fields[group].split(",")]
        return np.array(numbers, dtype=np.float32)

    def latest(self, group: str) -> np.ndarray:
        first = 1 + 6 * GROUPS.index(group)
        return self.telemetry[-1][first : first + 6]

    def until(self, condition) -> None:
        deadline = time.monotonic() + HANGS
        while not (self.telemetry and condition()):
            assert time.monotonic() < deadline, self.telemetry[-1:]
            if self.process.poll() is not None:
                raise TooBusyError(f"it ended with status {self.process.returncode}")
            time.sleep(0.02)

    def stop(self) -> int:
        self.send("STOP")
        status = self.process.wait(HANGS)
        self._thread.join(HANGS)
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.stdout.close()
        return status


def test_the_demos_protocol_is_all_one_needs(folder, patient):
    drive("sim:ur5e/table", patient)


@pytest.mark.alone
def test_it_is_all_one_needs_for_a_real_arm(folder, patient):
    on_virtual_arm(lambda spec: drive(spec, patient), "ur5e/table")


@contextmanager
def program(spec, patient):
    started = Program(
        "--robot-ip", "1.2.3.4", "--ft-ip", "1.2.3.5", "--robot", spec,
        "--rate", "500", "--time", "0", "--config", str(patient),
    )  # fmt: skip
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.process.kill()
            started.process.wait()
        clean_up()


def drive(spec, patient):
    with program(spec, patient) as p:
        command(p)


def command(p):
    # no axis is compliant at the start: the tool holds
    p.until(lambda: p.telemetry[-1][0] > 0.6)
    start = p.latest("tcp").copy()
    np.testing.assert_allclose(p.telemetry[0][1:7], start, atol=1e-4)
    assert not p.latest("wd").any()

    # delta and absolute moves arrive
    p.send("RELD", 0.02, -0.03, 0.01, 0, 0, 0)
    goal = start[:3] + np.array([0.02, -0.03, 0.01], np.float32)
    p.until(lambda: np.abs(p.latest("ref")[:3] - goal).max() < 1e-6)
    p.until(lambda: np.abs(p.latest("tcp")[:3] - goal).max() < 5e-4)
    p.send("REFA", *(float(value) for value in start))
    p.until(lambda: np.abs(p.latest("tcp")[:3] - start[:3]).max() < 5e-4)

    # gains, a force axis, and a wrench beyond its limit: the tool goes down at w / d
    p.send("STIFF", 0, 0, 0, 0, 0, 0)
    p.send("DAMP", 500, 500, 500, 20, 20, 20)
    p.send("AXIS", 0, 0, 1, 0, 0, 0)
    p.send("WRENCH", 0, 0, -8, 0, 0, 0)
    p.until(lambda: abs(p.latest("wd")[2] + 8.0) < 1e-3)
    begun = next(i for i, line in enumerate(p.telemetry) if abs(line[21] + 8.0) < 1e-3)
    p.until(lambda: len(p.telemetry) > begun + 40)
    fall = np.array(p.telemetry[begun + 15 : begun + 40])
    speed = np.polyfit(fall[:, 0], fall[:, 3], 1)[0]
    assert speed == pytest.approx(-8.0 / 500.0, rel=0.1)

    # and presses on the table with what was asked for; twice the damping is felt at once
    p.send("DAMP", 1000, 1000, 1000, 20, 20, 20)
    p.until(lambda: abs(p.latest("ws")[2] + 8.0) < 0.5)
    assert p.latest("tcp")[2] < start[2] - 0.01
    assert p.stop() == 0

    telemetry = np.array(p.telemetry)
    assert telemetry.dtype == np.float32
    assert telemetry.shape[1] == 37
    # 50 a second for 500 ticks a second; while nobody read, some may be missing
    steps = np.diff(telemetry[:, 0])
    assert np.median(steps) == pytest.approx(0.02, abs=1e-4)
    assert np.mean(steps < 0.0201) > 0.95
    assert np.isfinite(telemetry).all()
    assert (telemetry[:, 31:] > 20.0).all()
