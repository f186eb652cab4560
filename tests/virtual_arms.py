"""Virtual arms for tests: one process each, on a loopback address of its own."""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pliant.errors import PliantError

_numbers = itertools.count(1)
_ATTEMPTS = 10
_BUSY = ("no tick for", "no package from", "no state from", "late", "does not answer")
"""What is said when the machine, not the arm, ended a run in real time."""


class TooBusyError(Exception):
    """The machine did not let a controller of a real arm keep its deadlines."""


def new_host() -> str:
    """A loopback address that no other test uses; ur_rtde asks for remote control there."""
    pid = os.getpid()
    return (
        f"127.{1 + pid // 65536 % 200}.{pid // 256 % 256}.{(pid + 97 * next(_numbers)) % 254 + 1}"
    )


class VirtualArm:
    """A running `pliant virtual`.

    Attributes:
        host: Its address.
        process: Its process.
    """

    def __init__(self, place: str, *options: str, host: str | None = None) -> None:
        self.host = host or new_host()
        command = [sys.executable, "-m", "pliant.cli", "virtual", place, "--host", self.host]
        self.process = subprocess.Popen(
            [*command, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        assert first == "ready\n", first

    def say(self, line: str) -> str:
        """Say a line on its standard input; its answer."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def truth(self) -> dict[str, Any]:
        """What only the simulation knows."""
        return json.loads(self.say("truth"))

    def close(self) -> int:
        """Close its standard input; its exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait()


@contextmanager
def virtual_arm(place: str, *options: str, host: str | None = None) -> Iterator[VirtualArm]:
    arm = VirtualArm(place, *options, host=host)
    try:
        yield arm
    finally:
        arm.close()


def on_virtual_arm(run: Callable[[str], None], place: str, *options: str) -> None:
    """Run something on a new virtual arm, given its spec; again where the machine was too busy."""
    with_virtual_arm(lambda arm: run(f"ur:{arm.host}"), place, *options)


def with_virtual_arm(run: Callable[[VirtualArm], None], place: str, *options: str) -> None:
    """Run something with a new virtual arm; again where the machine was too busy."""
    for _ in range(_ATTEMPTS):
        with virtual_arm(place, "--clock", "lockstep", *options) as arm:
            try:
                return run(arm)
            except TooBusyError:
                continue
            except PliantError as error:
                if not is_busy(str(error)):
                    raise
    raise AssertionError("this machine is too busy for a real arm")


def is_busy(text: str) -> bool:
    """Whether a run ended because of the machine."""
    return any(part in text for part in _BUSY)
