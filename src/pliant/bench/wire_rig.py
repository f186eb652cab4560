"""What the benchmarks of arms over the wire share: virtual arms, bare loops, ticks."""

import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from pliant.bench.figure import Figure
from pliant.bench.rig import Rig
from pliant.errors import PliantError
from pliant.processes import Child, ProgramName

_START_TIMEOUT = 60.0
_READ = 0.2
_ENDING = 2.0


def is_installed(module: str) -> bool:
    """Whether a module is."""
    return importlib.util.find_spec(module) is not None


def own_host(number: int) -> str:
    """A loopback address that no other benchmark uses; each number has its own."""
    pid = os.getpid()
    return f"127.{100 + number}.{pid // 250 % 250}.{pid % 250 + 1}"


@contextlib.contextmanager
def virtual(program: ProgramName, place: str, host: str, clock: str) -> Iterator[Child]:
    """Run a virtual arm."""
    arm = Child(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        arm.send({"place": place, "host": host, "clock": clock})
        arm.wait_ready(_START_TIMEOUT)
        yield arm
    finally:
        arm.process.terminate()
        arm.process.wait()
        arm.close()


def truth(arm: Child) -> dict[str, Any]:
    """What only a virtual arm knows."""
    stdin, stdout = arm.process.stdin, arm.process.stdout
    assert stdin is not None and stdout is not None
    stdin.write(b"truth\n")
    stdin.flush()
    return json.loads(stdout.readline())


@contextlib.contextmanager
def bare(module: str, host: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a loop with a vendor's library alone."""
    command = [sys.executable, "-m", f"pliant.bench.{module}", host]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        if process.stdout.readline() != b"runs\n":
            raise PliantError(f"the loop {module} did not start")
        yield process
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=_ENDING)
        process.kill()
        process.communicate()


def ticks(rig: Rig, seconds: float) -> list[float]:
    """The lateness of the ticks of some time: the packages that were missed before each."""
    late: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(_READ)
        late += new_ticks(rig)
    return late


def new_ticks(rig: Rig) -> list[float]:
    """The lateness of the ticks since the last call.

    Raises:
        PliantError: There are none, because the controller has ended.
    """
    late = [row["lateness"].item() for row in rig.ring.ticks()]
    if not late:
        raise PliantError(f"the controller has ended: {rig.ring.last_word}")
    return late


def microseconds(seconds: float, meaning: str, bound: float | None = None) -> Figure:
    """A time as a figure."""
    return Figure(value=1e6 * seconds, unit="µs", meaning=meaning, bound=bound)
