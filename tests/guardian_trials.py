"""Trials of the guardian on a stub arm that keeps moving: how long until the stop is on the wire.

`trial` runs one controller to its end, `calm` runs one on a busy machine. Both are bounded, so that
a test may run a few of them and a longer suite very many.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

STUB = Path(__file__).parent / "stub_arm.py"
MISDEEDS = ("never returns", "sleeps", "killed", "stopped", "out of memory")
TRIGGER = 0.020
"""Time without a tick at which the guardian of a real arm acts, s."""

HANGS = 120.0
_STOPPED_FOR = 0.5
_LOAD = "import time\nend = time.monotonic() + {}\nwhile time.monotonic() < end: pass"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What the stub arm saw of a controller's end.

    Attributes:
        lapse: Time from the last set point to the stop, s; NaN if no stop came.
        moved: How far a joint still went after all was over, rad.
        rests: Whether the arm is at rest.
        worst: Longest time between two set points, s.
        said: What controller and guardian said, without telemetry.
        status: Exit status of the controller.
    """

    lapse: float
    moved: float
    rests: bool
    worst: float
    said: str
    status: int

    @property
    def false_stop(self) -> bool:
        """Whether the arm was stopped although set points came in time."""
        return not np.isnan(self.lapse) and self.worst < TRIGGER - 0.001


@dataclass(frozen=True, kw_only=True)
class Lapses:
    """Times from the last set point to the stop over many trials, s.

    Attributes:
        count: Number of trials.
        stopped: In how many of them the arm came to rest.
        p95: Their 95th percentile.
        longest: The longest.
    """

    count: int
    stopped: int
    p95: float
    longest: float


@contextlib.contextmanager
def stub_arm() -> Iterator[int]:
    """Run a stub arm; its port."""
    command = [sys.executable, str(STUB)]
    arm = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert arm.stdin and arm.stdout
    try:
        yield int(arm.stdout.readline())
    finally:
        arm.stdin.close()
        arm.wait(HANGS)
        arm.stdout.close()


def ask(port: int) -> dict:
    """What the stub arm has noted so far."""
    with socket.create_connection(("127.0.0.1", port), HANGS) as connection:
        connection.sendall(b"?")
        return json.loads(connection.makefile().readline())


@contextlib.contextmanager
def controller(
    port: int, folder: Path, misdeed: str = "", robot: str = "StubRobot", *more: str
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a controller of the stub arm; it is killed if it does not end by itself."""
    config = folder / "patient.json"
    config.write_text(json.dumps({"safety": {"lateness": 60.0}}))
    environment = os.environ | {
        "PLIANT_STUB_PORT": str(port),
        "PLIANT_STUB_MISDEED": misdeed,
        "PLIANT_RUNTIME_DIR": str(folder),
    }
    command = [
        *(sys.executable, "-m", "pliant.cli", "control", "--name", "c", "--config", str(config)),
        *("--robot", f"{STUB}:{robot}", "--law", f"{STUB}:Misbehaving", *more),
    ]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process = subprocess.Popen(command, env=environment, **pipes)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def trial(misdeed: str, folder: Path, robot: str = "StubRobot") -> Outcome:
    """Run a controller whose law misbehaves while the arm moves, and see what becomes of the arm.

    Args:
        misdeed: One of `MISDEEDS`.
        folder: A folder for the controller's files.
        robot: Which class of the stub's file is the robot.
    """
    with stub_arm() as port, controller(port, folder, misdeed, robot) as process:
        if misdeed == "stopped":
            _continue_after(process, _STOPPED_FOR)
        status = process.wait(HANGS)
        said = spoken(*process.communicate())
        noted = _settled(port)
        after = ask(port)
    moved = np.subtract(after["q"], noted["q"])
    return Outcome(
        lapse=noted.get("lapse", np.nan),
        moved=float(np.abs(moved).max()),
        rests=not np.any(noted["qd"]) and not np.any(moved),
        worst=noted["worst"],
        said=said,
        status=status,
    )


def trials(misdeed: str, folder: Path, count: int) -> Lapses:
    """Run many trials of one kind."""
    outcomes = [trial(misdeed, folder) for _ in range(count)]
    lapses = [outcome.lapse for outcome in outcomes]
    return Lapses(
        count=count,
        stopped=sum(outcome.rests for outcome in outcomes),
        p95=float(np.percentile(lapses, 95)),
        longest=max(lapses),
    )


def calm(seconds: float, load: int, folder: Path) -> Outcome:
    """Run a controller that does nothing wrong on a busy machine, and end it in order.

    Args:
        seconds: How long.
        load: Number of processes that only compute.
        folder: A folder for the controller's files.
    """
    with stub_arm() as port, controller(port, folder, "", "StubRobot") as process, busy(load):
        while "set_point" not in ask(port) and process.poll() is None:
            time.sleep(0.05)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.1)
        said = spoken(*process.communicate(b"STOP\n", HANGS))
        noted = ask(port)
    return Outcome(
        lapse=noted.get("lapse", np.nan),
        moved=0.0,
        rests=not np.any(noted["qd"]),
        worst=noted["worst"],
        said=said,
        status=process.returncode,
    )


@contextlib.contextmanager
def busy(count: int) -> Iterator[None]:
    """Keep the machine busy with processes that end by themselves."""
    code = _LOAD.format(900.0)
    hogs = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(count)]
    try:
        yield
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


def spoken(output: bytes, errors: bytes) -> str:
    """What a controller and its guardian said, without telemetry."""
    lines = (output + errors).decode().splitlines()
    return "\n".join(line for line in lines if not line.startswith("TELEM"))


def _continue_after(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait until a process is stopped, and continue it some time later."""
    deadline = time.monotonic() + HANGS
    while process.poll() is None and time.monotonic() < deadline:
        with open(f"/proc/{process.pid}/stat") as file:
            if file.read().rpartition(")")[2].split()[0] in "TZ":
                break
        time.sleep(0.001)
    time.sleep(seconds)
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGCONT)


def _settled(port: int) -> dict:
    """What the stub arm noted, a moment after the controller's end."""
    time.sleep(0.1)
    return ask(port)
